//! The order of registration within one order value, and nothing else, decides ties.

use mdgraft::assemble::{AssembleError, Assembler, Registration, Scope};

/// Numbers that look like chance, the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap_or(0)
    }
}

/// A section as the model of the test has it.
#[derive(Clone, Debug)]
struct Section {
    name: String,
    order: f64,
    text: String,
}

/// What should be seen: the global sections in the order of their registration, those of the
/// scope over them at the same place, and the new ones behind; then sorted by order alone.
fn expected(global: &[Section], scoped: &[Section]) -> Vec<String> {
    let mut seen: Vec<Section> = global.to_vec();
    for section in scoped {
        match seen.iter_mut().find(|one| one.name == section.name) {
            Some(one) => *one = section.clone(),
            None => seen.push(section.clone()),
        }
    }
    seen.sort_by(|one, other| one.order.total_cmp(&other.order));
    seen.into_iter().map(|section| section.text).collect()
}

#[test]
fn registration_decides_ties() -> Result<(), AssembleError> {
    for seed in 1..=300 {
        let mut chance = Chance(u64::wrapping_mul(seed, 0x9e37_79b9_7f4a_7c15));
        let prompts = Assembler::<()>::bare();
        let scope = Scope::new("s");
        let scoped = prompts.within(&scope);
        let mut layers: [Vec<(Section, Registration)>; 2] = [Vec::new(), Vec::new()];
        for step in 0..chance.below(40) {
            let at = chance.below(2);
            if chance.below(4) == 0 && !layers[at].is_empty() {
                let gone = chance.below(layers[at].len());
                layers[at].remove(gone).1.dispose()?;
                continue;
            }
            let name = format!("{}", chance.below(12));
            let order = [-1.5, 0.0, 0.0, 2.0][chance.below(4)];
            let text = format!("{name}.{step}");
            let handle = if at == 0 { &prompts } else { &scoped };
            let taken = layers[at].iter().any(|(section, _)| section.name == name);
            match handle.section(name.as_str(), order, text.as_str()) {
                Ok(registration) => {
                    assert!(!taken);
                    layers[at].push((Section { name, order, text }, registration));
                }
                Err(error) => assert!(taken, "{error}"),
            }
        }
        let [global, inner] = layers
            .each_ref()
            .map(|layer| layer.iter().map(|(one, _)| one.clone()).collect::<Vec<_>>());
        let texts = |handle: &Assembler| -> Result<Vec<String>, AssembleError> {
            Ok(handle.assemble(&())?.sections.iter().map(|part| part.text().to_owned()).collect())
        };
        assert_eq!(texts(&prompts)?, expected(&global, &[]), "seed {seed}");
        assert_eq!(texts(&scoped)?, expected(&global, &inner), "seed {seed}");
    }
    Ok(())
}

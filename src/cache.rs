//! A memory of bounded size: what is used least goes first. The only file that names `lru`.

use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use lru::LruCache;

/// The figures of one memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct MemoStats {
    /// How often something was there.
    pub hits: u64,
    /// How often it was not.
    pub misses: u64,
    /// How often something had to go to make room.
    pub evictions: u64,
    /// What is there now.
    pub entries: usize,
    /// About how many bytes that takes.
    pub bytes: usize,
}

/// Values by key, at most so many, and at most so many bytes of them.
///
/// One lock guards it, which is held for a look-up only: values are cheap to clone, and made
/// outside of it. Two threads that miss the same key at once both make the value.
pub(crate) struct Memo<K, V> {
    entries: usize,
    bytes: usize,
    state: Mutex<State<K, V>>,
}

struct State<K, V> {
    values: LruCache<K, (V, usize)>,
    bytes: usize,
    hits: u64,
    misses: u64,
    evictions: u64,
}

impl<K: Hash + Eq, V: Clone> Memo<K, V> {
    /// A memory of at most so many values and bytes; of none, where one of these is 0.
    pub(crate) fn new(entries: usize, bytes: usize) -> Self {
        let values = LruCache::unbounded();
        let state = State { values, bytes: 0, hits: 0, misses: 0, evictions: 0 };
        Self { entries, bytes, state: Mutex::new(state) }
    }

    /// The value of a key, which counts as used.
    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let mut state = self.lock();
        let found = state.values.get(key).map(|(value, _)| value.clone());
        state.count(found.is_some());
        found
    }

    /// The value of a key, of which only the caller can say whether it may be used: see
    /// [`count`](Self::count).
    pub(crate) fn peek(&self, key: &K) -> Option<V> {
        self.lock().values.get(key).map(|(value, _)| value.clone())
    }

    /// Counts whether what was [peeked](Self::peek) at could be used.
    pub(crate) fn count(&self, hit: bool) {
        self.lock().count(hit);
    }

    /// Keeps a value that takes about so many bytes; one that takes more than there are is not
    /// kept.
    pub(crate) fn insert(&self, key: K, value: V, bytes: usize) {
        self.insert_if(key, value, bytes, || true);
    }

    /// Keeps a value, if it may still be kept: that is asked while nobody else can change the
    /// memory.
    pub(crate) fn insert_if(&self, key: K, value: V, bytes: usize, may: impl FnOnce() -> bool) {
        let mut state = self.lock();
        if bytes > self.bytes || !may() {
            return;
        }
        state.bytes += bytes;
        if let Some((_, before)) = state.values.put(key, (value, bytes)) {
            state.bytes -= before;
        }
        while state.values.len() > self.entries || state.bytes > self.bytes {
            let Some((_, (_, bytes))) = state.values.pop_lru() else { break };
            state.bytes -= bytes;
            state.evictions += 1;
        }
    }

    /// Forgets values.
    pub(crate) fn forget(&self, mut whether: impl FnMut(&K, &V) -> bool) {
        let mut state = self.lock();
        let mut freed = 0;
        state.values.retain(|key, (value, bytes)| {
            let forgotten = whether(key, value);
            freed += if forgotten { *bytes } else { 0 };
            !forgotten
        });
        state.bytes -= freed;
    }

    /// All that is there, in no useful order.
    pub(crate) fn all(&self) -> Vec<(K, V)>
    where
        K: Clone,
    {
        self.lock().values.iter().map(|(key, (value, _))| (key.clone(), value.clone())).collect()
    }

    pub(crate) fn stats(&self) -> MemoStats {
        let state = self.lock();
        MemoStats {
            hits: state.hits,
            misses: state.misses,
            evictions: state.evictions,
            entries: state.values.len(),
            bytes: state.bytes,
        }
    }

    /// A panic elsewhere leaves nothing half done here.
    fn lock(&self) -> MutexGuard<'_, State<K, V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq, V> State<K, V> {
    fn count(&mut self, hit: bool) {
        if hit {
            self.hits += 1;
        } else {
            self.misses += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(memo: &Memo<u32, u32>) -> Vec<u32> {
        let mut keys: Vec<u32> = memo.all().into_iter().map(|(key, _)| key).collect();
        keys.sort_unstable();
        keys
    }

    #[test]
    fn what_is_used_least_goes_first() {
        let memo = Memo::new(3, 100);
        for key in 0..3 {
            memo.insert(key, key, 10);
        }
        assert_eq!(memo.get(&0), Some(0));
        memo.insert(3, 3, 10);
        assert_eq!(held(&memo), [0, 2, 3]);
        assert_eq!(memo.get(&1), None);
        let stats = memo.stats();
        assert_eq!((stats.hits, stats.misses, stats.evictions), (1, 1, 1));
        assert_eq!((stats.entries, stats.bytes), (3, 30));
    }

    #[test]
    fn bytes_are_bounded_and_counted() {
        let memo = Memo::new(100, 100);
        memo.insert(0, 0, 60);
        memo.insert(1, 1, 30);
        memo.insert(1, 2, 40);
        assert_eq!((held(&memo), memo.stats().bytes), (vec![0, 1], 100));
        memo.insert(2, 2, 101);
        assert_eq!(held(&memo), [0, 1]);
        memo.insert(3, 3, 50);
        assert_eq!((held(&memo), memo.stats().bytes), (vec![1, 3], 90));
        memo.forget(|key, _| *key == 1);
        assert_eq!((held(&memo), memo.stats().bytes), (vec![3], 50));
        memo.insert_if(4, 4, 1, || false);
        assert_eq!(held(&memo), [3]);
    }

    #[test]
    fn a_memory_of_nothing_keeps_nothing() {
        for memo in [Memo::new(0, 100), Memo::new(100, 0)] {
            memo.insert(1, 1, 1);
            assert_eq!(memo.get(&1), None);
            assert_eq!(memo.stats().bytes, 0);
        }
    }
}

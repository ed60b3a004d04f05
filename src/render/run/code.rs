//! Fences, and code blocks that are collected or hidden.

use super::{Collected, Machine};
use crate::parse::document::Flags;
use crate::render::fence::{self, OpenFence};
use crate::text::Span;

impl Machine<'_> {
    pub(super) fn fence_open(&mut self, index: u32, span: Span) {
        if !self.on {
            return;
        }
        self.out.push(self.slice(span), self.source(span), Flags::default(), Flags::default());
        let mark = &self.text().document.body.fences[index as usize];
        self.fence = Some(OpenFence::new(mark, self.out.len(), self.out.prefix_len()));
    }

    pub(super) fn fence_close(&mut self, fence: u32, span: Span) {
        if !self.on {
            self.fence = None;
            return;
        }
        let grown = self.grow_fence();
        let written = self.slice(span);
        self.out.push(written, self.source(span), Flags::default(), Flags::default());
        if let Some((length, at)) = grown.filter(|(length, _)| *length > written.len()) {
            let mark = &self.text().document.body.fences[fence as usize];
            let added = String::from(char::from(mark.character)).repeat(length - written.len());
            self.out.push(&added, self.glue(at), Flags::default(), Flags::default());
        }
    }

    /// Makes the open fence longer than any line of its text that would close it; gives the length,
    /// and the reference that asks for it.
    pub(super) fn grow_fence(&mut self) -> Option<(usize, Span)> {
        let fence = self.fence.take()?;
        let (length, at) = fence.needed(self.out.text());
        if length > fence.length {
            let added = String::from(char::from(fence.character)).repeat(length - fence.length);
            let glue = self.glue(at);
            self.out.splice(fence.signs_end..fence.signs_end, &added, glue);
        }
        Some((length, at))
    }

    pub(super) fn code_close(&mut self, fence: u32) {
        let Some(saved) = self.code.take() else { return };
        let mark = &self.text().document.body.fences[fence as usize];
        let glue = self.glue(mark.span);
        if mark.tools || mark.example {
            let content = fence::content(self.out.since(&saved), mark, self.out.prefix_len());
            self.collected.push(Collected {
                text: self.text,
                fence,
                instance: self.instance,
                content,
            });
        }
        if mark.hidden {
            self.out.restore(&saved);
            self.out.seam(glue);
            let span = mark.span;
            self.note_blank_in(span);
        }
    }
}

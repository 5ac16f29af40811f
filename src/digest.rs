//! Digests: sha256, printed as lower-case hexadecimal.

use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// A running sha256.
#[derive(Debug, Default, Clone)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Adds a text with its length, so that neighbouring fields cannot run into each other.
    pub fn field(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
    }

    /// The first 128 bits of the digest of some bytes, as a number.
    pub fn of(bytes: &[u8]) -> u128 {
        let digest = Sha256::digest(bytes);
        digest.iter().take(16).fold(0, |n, b| n << 8 | u128::from(*b))
    }

    /// The whole digest in base64, as a Content-Security-Policy names a script or a style.
    pub fn base64(self) -> String {
        use base64::Engine as _;
        base64::engine::general_purpose::STANDARD.encode(self.0.finalize())
    }

    /// The first 16 hexadecimal digits.
    pub fn short(self) -> String {
        self.digits(16)
    }

    /// The first so many hexadecimal digits, at most 64.
    pub fn digits(self, n: usize) -> String {
        let mut text = hex(&self.0.finalize(), n.div_ceil(2));
        text.truncate(n);
        text
    }
}

/// The first `bytes` bytes in hexadecimal.
fn hex(digest: &[u8], bytes: usize) -> String {
    digest.iter().take(bytes).fold(String::new(), |mut s, b| {
        let _ = write!(s, "{b:02x}");
        s
    })
}

//! The layout of a pack: a header, a directory of buckets, the records of each bucket, and the
//! blobs. Every byte that is believed stands under a checksum that was verified before: the
//! header under its own, the records of a bucket under that in the directory, which also covers
//! the place of the bucket, and each blob under that in its record. A look-up reads one bucket and
//! one blob, however many there are.

use super::PackError;
use crate::text::Hash;

/// The bytes of a pack, wherever they are.
pub(crate) trait Bytes: Send + Sync {
    /// So many bytes from an offset on.
    ///
    /// # Errors
    ///
    /// If they cannot be read, or are not there.
    fn read(&self, offset: u64, length: usize) -> Result<std::borrow::Cow<'_, [u8]>, PackError>;

    /// How many bytes there are.
    fn length(&self) -> u64;
}

impl Bytes for &'static [u8] {
    fn read(&self, offset: u64, length: usize) -> Result<std::borrow::Cow<'_, [u8]>, PackError> {
        let start = usize::try_from(offset).map_err(|_| PackError::Damaged)?;
        let end = start.checked_add(length).ok_or(PackError::Damaged)?;
        self.get(start..end).map(Into::into).ok_or(PackError::Damaged)
    }

    fn length(&self) -> u64 {
        self.len() as u64
    }
}

/// The key of a blob: the beginning of a hash.
pub(super) type Key = [u8; 16];

type Checksum = [u8; 16];

const MAGIC: &[u8; 8] = b"mdgraft\0";
const HEADER: usize = 96;
const ENTRY: usize = 32;
const RECORD: usize = 48;
/// Records of a bucket, about.
const BUCKET: usize = 16;
const MOST_BITS: u32 = 24;

/// A pack that was opened: its header is right.
pub(super) struct Layout {
    bits: u32,
    pub(super) records: u64,
}

/// Where a blob is.
pub(super) struct Record {
    pub(super) key: Key,
    offset: u64,
    length: u32,
    checksum: Checksum,
}

/// Lays blobs out; equal blobs give equal bytes, in whatever order they come. `maker` says who
/// understands them.
pub(super) fn lay(mut blobs: Vec<(Key, Vec<u8>)>, maker: Hash) -> Vec<u8> {
    blobs.sort_unstable();
    blobs.dedup_by(|one, other| one.0 == other.0);
    let bits = (blobs.len() / BUCKET).checked_ilog2().map_or(0, |log| log + 1).min(MOST_BITS);
    let buckets = 1_usize << bits;
    let mut bytes = Vec::new();
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&bits.to_le_bytes());
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(&(blobs.len() as u64).to_le_bytes());
    let total: usize = blobs.iter().map(|(_, blob)| blob.len()).sum();
    let length = HEADER + buckets * ENTRY + blobs.len() * RECORD + total;
    bytes.extend_from_slice(&(length as u64).to_le_bytes());
    bytes.extend_from_slice(maker.as_bytes());
    let own = Hash::of(&bytes);
    bytes.extend_from_slice(own.as_bytes());
    debug_assert_eq!(bytes.len(), HEADER);

    let first_record = HEADER + buckets * ENTRY;
    let mut directory = Vec::with_capacity(buckets * ENTRY);
    let mut records = Vec::with_capacity(blobs.len() * RECORD);
    let mut offset = first_record + blobs.len() * RECORD;
    let mut rest = &blobs[..];
    for bucket in 0..buckets {
        let count = rest.partition_point(|(key, _)| bucket_of(key, bits) <= bucket);
        let (here, after) = rest.split_at(count);
        rest = after;
        let start = records.len();
        for (key, blob) in here {
            records.extend_from_slice(key);
            records.extend_from_slice(&(offset as u64).to_le_bytes());
            records.extend_from_slice(&u32::try_from(blob.len()).unwrap_or(u32::MAX).to_le_bytes());
            records.extend_from_slice(&[0; 4]);
            records.extend_from_slice(&blob_checksum(key, blob));
            offset += blob.len();
        }
        let count = (records.len() - start) / RECORD;
        let entry = entry(first_record + start, count);
        directory.extend_from_slice(&entry);
        directory.extend_from_slice(&bucket_checksum(bucket, &entry, &records[start..]));
    }
    bytes.extend_from_slice(&directory);
    bytes.extend_from_slice(&records);
    for (_, blob) in &blobs {
        bytes.extend_from_slice(blob);
    }
    bytes
}

/// Reads and checks the header.
pub(super) fn open(bytes: &dyn Bytes, maker: Hash) -> Result<Layout, PackError> {
    if bytes.length() < HEADER as u64 {
        return Err(PackError::Foreign);
    }
    let header = bytes.read(0, HEADER)?;
    if &header[..8] != MAGIC {
        return Err(PackError::Foreign);
    }
    if Hash::of(&header[..HEADER - 32]).as_bytes()[..] != header[HEADER - 32..] {
        return Err(PackError::Damaged);
    }
    if header[32..64] != maker.as_bytes()[..] {
        return Err(PackError::Foreign);
    }
    let bits = narrow(&header[8..12]);
    let (records, length) = (number(&header[16..24]), number(&header[24..32]));
    if length != bytes.length() || bits > MOST_BITS {
        return Err(PackError::Damaged);
    }
    Ok(Layout { bits, records })
}

impl Layout {
    pub(super) fn buckets(&self) -> usize {
        1 << self.bits
    }

    /// The blob of a key; `None` if it is certain that there is none.
    pub(super) fn find(&self, bytes: &dyn Bytes, key: Key) -> Result<Option<Vec<u8>>, PackError> {
        let records = self.bucket(bytes, bucket_of(&key, self.bits))?;
        match records.binary_search_by(|record| record.key.cmp(&key)) {
            Ok(at) => blob(bytes, &records[at]).map(Some),
            Err(_) => Ok(None),
        }
    }

    /// The records of a bucket, in the order of their keys.
    pub(super) fn bucket(
        &self,
        bytes: &dyn Bytes,
        bucket: usize,
    ) -> Result<Vec<Record>, PackError> {
        let entry = bytes.read((HEADER + bucket * ENTRY) as u64, ENTRY)?;
        let (place, checksum) = entry.split_at(16);
        let (offset, count) = (number(&place[..8]), number(&place[8..12]));
        if count > self.records {
            return Err(PackError::Damaged);
        }
        let length = usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(RECORD);
        let records = bytes.read(offset, length)?;
        if bucket_checksum(bucket, place, &records) != checksum {
            return Err(PackError::Damaged);
        }
        Ok(records.chunks_exact(RECORD).map(record).collect())
    }
}

/// The blob of a record.
pub(super) fn blob(bytes: &dyn Bytes, record: &Record) -> Result<Vec<u8>, PackError> {
    let blob = bytes.read(record.offset, record.length as usize)?;
    if blob_checksum(&record.key, &blob) != record.checksum {
        return Err(PackError::Damaged);
    }
    Ok(blob.into_owned())
}

fn record(bytes: &[u8]) -> Record {
    let array = |at: usize| bytes[at..at + 16].try_into().unwrap_or_default();
    Record {
        key: array(0),
        offset: number(&bytes[16..24]),
        length: narrow(&bytes[24..28]),
        checksum: array(32),
    }
}

fn entry(offset: usize, count: usize) -> [u8; 16] {
    let mut entry = [0; 16];
    entry[..8].copy_from_slice(&(offset as u64).to_le_bytes());
    entry[8..12].copy_from_slice(&u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
    entry
}

/// The first bits of a key say in which bucket it stands, so that buckets are in its order.
fn bucket_of(key: &Key, bits: u32) -> usize {
    let first = u32::from_be_bytes([key[0], key[1], key[2], key[3]]);
    if bits == 0 { 0 } else { (first >> (32 - bits)) as usize }
}

fn bucket_checksum(bucket: usize, place: &[u8], records: &[u8]) -> Checksum {
    let mut text = (bucket as u64).to_le_bytes().to_vec();
    text.extend_from_slice(place);
    text.extend_from_slice(records);
    half(Hash::of(&text))
}

fn blob_checksum(key: &Key, blob: &[u8]) -> Checksum {
    let mut text = key.to_vec();
    text.extend_from_slice(blob);
    half(Hash::of(&text))
}

/// The first half of a hash, which is long enough for what is no secret.
pub(super) fn half(hash: Hash) -> [u8; 16] {
    let mut half = [0; 16];
    half.copy_from_slice(&hash.as_bytes()[..16]);
    half
}

/// A little-endian number of 4 bytes.
fn narrow(bytes: &[u8]) -> u32 {
    u32::try_from(number(bytes)).unwrap_or(u32::MAX)
}

/// A little-endian number of at most 8 bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

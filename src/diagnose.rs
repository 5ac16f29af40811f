//! Diagnosis

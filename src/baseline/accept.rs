//! `ragline accept`: writes named outcomes into the baseline.

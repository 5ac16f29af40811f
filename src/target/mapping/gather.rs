//! The events of a stream, and the passages (or citations) that they hold together.

use super::field::{Found, Items};
use crate::suite::config::live::{Field, Mapping};
use serde_json::Value;

/// One event of a stream, or the one JSON value of a response that comes whole.
#[derive(Debug, Clone, Copy)]
pub struct Event<'v> {
    /// What the `event:` line of a server-sent event says; empty where there is none.
    pub name: &'v str,
    /// Its data.
    pub value: &'v Value,
}

impl<'v> Event<'v> {
    /// The name that messages give it.
    pub fn shown_name(&self) -> Option<&'v str> {
        let inner = || ["event", "type"].iter().find_map(|key| self.value.get(key).and_then(Value::as_str));
        Some(self.name).filter(|n| !n.is_empty()).or_else(inner)
    }

    /// Whether it has this name: by its `event:` line, or by `event` or `type` at the top of its data, which is how streams
    /// without such lines name their events.
    pub fn is_named(&self, wanted: &str) -> bool {
        self.name == wanted
            || ["event", "type"].iter().any(|key| self.value.get(key).and_then(Value::as_str) == Some(wanted))
    }
}

/// Values as events without a name.
pub fn unnamed(values: &[Value]) -> Vec<Event<'_>> {
    values.iter().map(|value| Event { name: "", value }).collect()
}

/// Values with their names, where they have any.
pub fn events_of<'v>(values: &'v [Value], names: &'v [String]) -> Vec<Event<'v>> {
    let names = names.iter().map(String::as_str).chain(std::iter::repeat(""));
    values.iter().zip(names).map(|(value, name)| Event { name, value }).collect()
}

/// The items of a list that may come in one event or in several.
#[derive(Debug, Default)]
pub struct Gathered<'v> {
    /// Each item with the event that holds it, in order of arrival.
    pub(super) nodes: Vec<(Event<'v>, &'v Value)>,
    /// How many events they come from.
    pub events: usize,
    /// Items of earlier lists that a later list took the place of, and that it lacks.
    pub lost: usize,
}

impl Gathered<'_> {
    /// How many items there are.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }
}

/// The passages of a response before their parts are read; none where there is no such list.
pub fn passages<'v>(mapping: &Mapping, events: &[Event<'v>]) -> Option<Gathered<'v>> {
    gather(&mapping.contexts, events)
}

/// What a field selects in all events. **A list takes the place of what came before it, a single thing is added to it**: a
/// server that sends each passage in an event of its own, and one that sends its list again while it grows, are both read.
/// The same thing a second time is not added.
pub(super) fn gather<'v>(field: &Field, events: &[Event<'v>]) -> Option<Gathered<'v>> {
    let mut all: Option<Gathered<'v>> = None;
    for event in events.iter().filter(|e| field.may_stand_in(e)) {
        match field.listed(event.value) {
            None => {}
            Some(Items::List(items)) => {
                let before = all.take().unwrap_or_default();
                let gone = before.nodes.iter().filter(|(_, node)| !items.contains(node)).count();
                let nodes = items.into_iter().map(|node| (*event, node)).collect();
                all = Some(Gathered { nodes, events: 1, lost: before.lost + gone });
            }
            Some(Items::One(node)) => {
                let all = all.get_or_insert_default();
                if !all.nodes.iter().any(|(_, other)| *other == node) {
                    all.nodes.push((*event, node));
                    all.events += 1;
                }
            }
        }
    }
    all
}

impl Field {
    /// Whether it looks into an event at all.
    pub(super) fn may_stand_in(&self, event: &Event<'_>) -> bool {
        self.event.as_deref().is_none_or(|wanted| event.is_named(wanted))
    }

    /// What it selects in an event.
    pub(super) fn in_event<'v>(&self, event: &Event<'v>) -> Found<'v> {
        if self.may_stand_in(event) { self.nodes(event.value) } else { Found::Nothing }
    }

    /// The first node in an event that is not null.
    pub(super) fn first_in<'v>(&self, event: &Event<'v>) -> Option<&'v Value> {
        if self.may_stand_in(event) { self.first(event.value) } else { None }
    }
}

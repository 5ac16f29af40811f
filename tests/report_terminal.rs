//! The terminal report against its drawings.

mod report_kit;
use report_kit::*;

#[test]
fn show() {
    println!("{}", red().terminal(100));
    println!("{}", red().terminal(60));
    println!("{}", red().terminal(20));
    println!("{}", red().junit());
    println!("{}", red().results());
}
#[test]
fn show_md() {
    println!("{}", red().markdown());
    println!("{}", red().results());
}

#!/bin/sh
# A part of the table of docs/patterns.md: three schedulers on the patterns that take little time.
{
  sed '/^schedulers/,/swl:best/c schedulers = ["lrr", "gto", "kaws"]' experiments/patterns.toml |
    sed '/^\(expected\|also\|winners\)/d;/^\[\[case.finding/,/^$/d'
  printf '[[exclude]]\nname = "%s"\n' 'row walk*' 'broadcast centre*'
} >some_patterns.toml
exec heddle sweep --quiet some_patterns.toml

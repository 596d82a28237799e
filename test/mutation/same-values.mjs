// Before each file of tests: a mutant is detected, or not, in every run alike, and a failure need not be made small.
import fc from 'fast-check';

fc.configureGlobal({ seed: 1, endOnFailure: true });

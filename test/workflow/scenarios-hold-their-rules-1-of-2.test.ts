import { rehearseAll } from '../support/rehearsals.js';

// in two files, for two cores
rehearseAll(1, 2);

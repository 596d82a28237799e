import { rehearseAll } from '../support/rehearsals.js';

// in two files, for two cores
rehearseAll(2, 2);

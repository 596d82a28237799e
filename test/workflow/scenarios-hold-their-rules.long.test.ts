import { rehearseAll } from '../support/rehearsals.js';

rehearseAll('other');

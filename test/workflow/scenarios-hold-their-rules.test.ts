import { rehearseAll } from '../support/rehearsals.js';

// every third; the long lane plays the others, and the suite replays the histories of all
rehearseAll([1], 3);

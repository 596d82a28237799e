import { realScenariosHold } from '../support/real-scenarios.js';
import { representativeReal } from '../support/representative-scenarios.js';

realScenariosHold((name) => representativeReal.includes(name));

import { realScenariosHold } from '../support/real-scenarios.js';

realScenariosHold((name) => name !== 'real-answer-lost');

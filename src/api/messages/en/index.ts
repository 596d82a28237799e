import { access } from './access.js';
import { fields } from './fields.js';
import { requests } from './requests.js';
import { subjects } from './subjects.js';

/** What the status API refuses, in words. None has personal data (L60). */
export const apiEn = { ...access, ...requests, ...fields, ...subjects } as const;

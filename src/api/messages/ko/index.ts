import type { Translation } from '../../../domain/shared/message.js';
import type { apiEn } from '../en/index.js';
import { access } from './access.js';
import { fields } from './fields.js';
import { requests } from './requests.js';
import { subjects } from './subjects.js';

export const apiKo: Readonly<Translation<typeof apiEn>> = { ...access, ...requests, ...fields, ...subjects };

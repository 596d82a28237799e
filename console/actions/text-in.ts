import { toInstant } from '../design/time.js';

/** What a user has entered in a field, without spaces around it; empty where the form does not have it. */
export const textIn = (data: FormData, name: string): string => String(data.get(name) ?? '').trim();

/** The same of a `datetime-local` field, in the service's zone. */
export const momentIn = (data: FormData, name: string): string | undefined => toInstant(textIn(data, name));

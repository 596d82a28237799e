import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/**
 * Typed search attributes of a reservation workflow: what Temporal UI can filter by, and what the reconciliation and the look-ahead
 * read. They are stored in plain text, so none of them holds personal data (L60); the car number stays out too.
 */
export const searchAttributes = {
  status: defineSearchAttributeKey('HandoverStatus', SearchAttributeType.INT),
  carId: defineSearchAttributeKey('HandoverCarId', SearchAttributeType.INT),
  companyId: defineSearchAttributeKey('HandoverCompanyId', SearchAttributeType.INT),
  start: defineSearchAttributeKey('HandoverStart', SearchAttributeType.DATETIME),
  end: defineSearchAttributeKey('HandoverEnd', SearchAttributeType.DATETIME),
  attention: defineSearchAttributeKey('HandoverAttention', SearchAttributeType.KEYWORD_LIST),
} as const;

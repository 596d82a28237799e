/** One entry about a recall's note: never its text (L60). */
export function noteText({
  carId,
  outcome,
  memoId,
  code,
}: {
  carId: number | null;
  outcome: 'pending' | 'applied' | 'rejected' | 'unknown';
  memoId: number | null;
  code: string | null;
}): string {
  switch (outcome) {
    case 'pending':
      return `The recall's note waits (${code}); it is retried.`;
    case 'applied':
      return `The recall's note is memo ${memoId} of car ${carId}.`;
    case 'rejected':
      return `The recall's note did not become a memo of car ${carId} (${code}).`;
    case 'unknown':
      return `Whether the recall's note is a memo of car ${carId} is unknown (${code}).`;
  }
}

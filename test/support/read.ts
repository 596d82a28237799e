import { QueryNotRegisteredError } from '@temporalio/client';

/** One query, repeated once as the product does: it may have come between two workflow tasks. */
export async function read<T>(query: () => Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (error) {
    if (error instanceof QueryNotRegisteredError) return query();
    throw error;
  }
}

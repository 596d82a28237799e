import type { Client } from '@temporalio/client';
import type { Policy } from '../../../domain/reservation/index.js';
import type { StoredDataKeys } from '../../../store/data-keys.js';
import type { Certificate } from '../../../store/erasure/certificates.js';
import type { FindDeps } from '../../../store/erasure/hash-persons.js';
import type { NotErased, Subjects } from '../../../store/erasure/targets.js';
import type { ErasureCause } from '../../../store/schema.js';

export interface EraserDeps extends FindDeps {
  client: Client;
  /** Of this process; absent: it has none in memory. */
  dataKeys?: Pick<StoredDataKeys, 'forget'> | undefined;
  photos: ErasablePhotos;
  policy: Policy;
  now?: () => number;
}

interface ErasablePhotos {
  /** @param isStopping once it returns true, photos that several reservations may have stay */
  deletePhotos(
    reservationId: number,
    hashes: readonly string[],
    isStopping: () => boolean,
  ): Promise<DeletedPhotos>;
  /** The reservation was not erased after all: what it has, it uses. */
  useAgain(reservationId: number): void;
}

export interface DeletedPhotos {
  deleted: number;
  /** Hashes of photos that another reservation has. */
  shared: string[];
  /** Hashes of photos that stay, because a reservation that may have them too does not answer, and why the first stays. */
  left: string[];
  reason?: unknown;
}

export interface Erasure {
  /** Null: nothing was erased. */
  certificate: Certificate | null;
  refused: NotErased[];
}

export interface ErasedPhotos {
  certificate: Certificate | null;
  left: LeftPhotos[];
}

/** A reservation with photos that stay, and are due again. */
export interface LeftPhotos {
  reservationId: number;
  /**
   * Its workflow runs again; another reservation that may have a photo does not answer; or no key of ours opens its case file: photos
   * without a key of their own are known by that alone.
   */
  code: 'RESERVATION_OPEN' | 'PHOTO_MAY_BE_SHARED' | 'CASE_FILE_UNREADABLE';
}

/** What is to be erased together, under one certificate. */
export interface ErasureOrder extends Subjects {
  by: string;
  /** Of the retention: photos that another reservation may have stay, and the retention of photos deletes them later. */
  cause: ErasureCause;
  /** Once it returns true no further reservation is begun: the rest is due the next time. */
  isStopping?: () => boolean;
}

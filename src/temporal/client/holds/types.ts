import type {
  ChangeHold,
  EndHold,
  HoldCommandView,
  HoldFacts,
  HoldRefusal,
  HoldRequest,
  HoldView,
} from '../../../domain/hold/index.js';
import type { HoldFilter } from '../../../store/holds/store.js';
import type { ListPage } from '../../../store/page.js';

/** A hold as the workflow knows it; `mark` is between it and the API. */
export type KnownHold = Omit<HoldView, 'mark'>;
type Refused = { kind: 'refused'; refusal: Pick<HoldRefusal, 'code' | 'message'> };

/** The outcome of making a hold. It may still be on its way: see its `state`. */
export type MadeHold =
  | { kind: 'made'; hold: KnownHold }
  /** An open hold of ours has the car then. */
  | { kind: 'overlaps'; other: HoldFacts }
  | { kind: 'refused'; refusal: Pick<HoldRefusal, 'code' | 'message'> };

/** The outcome of a request on a hold; `pending`: not known within 10 s. */
export type HoldCommandAnswer =
  | { kind: 'answered'; command: HoldCommandView; hold: KnownHold }
  | { kind: 'pending'; hold: KnownHold }
  | { kind: 'overlaps'; other: HoldFacts }
  | { kind: 'no-hold' }
  | Refused;

export type HoldCommandRequest =
  | { name: 'change'; input: ChangeHold }
  | { name: 'release' | 'resolve'; input: EndHold };

/** Everything that reads or moves a hold. Every method but `list` throws `EngineUnavailableError`. */
export interface Holds {
  /** Makes one per hold id; answers within 10 s. `request.period` as it was asked for. */
  make(request: HoldRequest): Promise<MadeHold>;
  /** From its workflow, or from its row where that does not answer. Undefined: there is none. */
  view(holdId: string): Promise<KnownHold | undefined>;
  sendCommand(holdId: string, command: HoldCommandRequest): Promise<HoldCommandAnswer>;
  list(filter: HoldFilter): Promise<ListPage<HoldFacts>>;
}

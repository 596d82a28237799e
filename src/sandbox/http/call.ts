import type { Photo } from '../../platform/model.js';
import type { Operation, OperationName, Operations } from '../../platform/profile.js';
import type { Caller } from './caller.js';

/** What a handler gets: model values, decoded by the profile, and who calls. */
export interface Call<Params, Query, Body> {
  caller: Caller;
  params: Params;
  query: Query;
  body: Body;
  photo?: Photo;
}

type HandlerOf<Op> =
  Op extends Operation<infer Params, infer Query, infer Body, infer Out>
    ? (call: Call<Params, Query, Body>) => Promise<Out>
    : never;

/** One handler per operation of the wire profile: a new operation does not compile without one. */
export type Handlers = { [Name in OperationName]: HandlerOf<Operations[Name]> };

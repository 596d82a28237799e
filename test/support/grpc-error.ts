/** An error as the raw services of Temporal's client throw it. @param code number of a gRPC status */
export function grpcError(code: number): Error {
  return Object.assign(new Error(`${code}: refused`), { code, details: 'refused', metadata: {} });
}

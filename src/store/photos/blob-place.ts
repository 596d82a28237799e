/** Where photos lie. `prefix` has no slash at either end; both S3 region and credentials are the AWS SDK's own. */
export type BlobPlace = { kind: 'folder'; path: string } | { kind: 's3'; bucket: string; prefix: string };

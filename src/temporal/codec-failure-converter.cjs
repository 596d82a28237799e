// CommonJS, for the SDK loads it with require() in every process, and into the bundle of the workflows.
const { DefaultFailureConverter } = require('@temporalio/common');

exports.failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });

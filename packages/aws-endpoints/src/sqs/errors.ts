import { readOwn } from '@nodewright/apis';
import { AwsError } from '../codec/aws-error.ts';

/** What the query protocol calls an error, and clients of the older protocol still compare with; and its status. */
type Legacy = { readonly code: string; readonly status: number };

const simpleQueueService = (code: string, status = 400): Legacy => ({
  code: `AWS.SimpleQueueService.${code}`,
  status,
});

const legacies: Readonly<Record<string, Legacy>> = {
  QueueDoesNotExist: simpleQueueService('NonExistentQueue'),
  QueueDeletedRecently: simpleQueueService('QueueDeletedRecently'),
  QueueNameExists: { code: 'QueueAlreadyExists', status: 400 },
  PurgeQueueInProgress: simpleQueueService('PurgeQueueInProgress', 403),
  MessageNotInflight: simpleQueueService('MessageNotInflight'),
  ReceiptHandleIsInvalid: { code: 'ReceiptHandleIsInvalid', status: 404 },
  EmptyBatchRequest: simpleQueueService('EmptyBatchRequest'),
  TooManyEntriesInBatchRequest: simpleQueueService('TooManyEntriesInBatchRequest'),
  BatchEntryIdsNotDistinct: simpleQueueService('BatchEntryIdsNotDistinct'),
  BatchRequestTooLong: simpleQueueService('BatchRequestTooLong'),
  InvalidBatchEntryId: simpleQueueService('InvalidBatchEntryId'),
  UnsupportedOperation: simpleQueueService('UnsupportedOperation'),
  InvalidParameterValueException: { code: 'InvalidParameterValue', status: 400 },
  MissingRequiredParameterException: { code: 'MissingParameter', status: 400 },
  AccessDeniedException: { code: 'AccessDenied', status: 403 },
};

/** The code of an error in the query protocol. */
export const legacyCodeOf = (code: string): string => readOwn(legacies, code)?.code ?? code;

/** The codes that the JSON protocol has for errors that the model of SQS does not name. */
const unmodelledCodes: ReadonlySet<string> = new Set([
  'InvalidParameterValueException',
  'MissingRequiredParameterException',
  'AccessDeniedException',
]);

/** The code that an SDK client shows: the one of the query protocol for errors that the model does not name. */
export const sdkCodeOf = (code: string): string => (unmodelledCodes.has(code) ? legacyCodeOf(code) : code);

const sqsRefusal = (code: string, message: string): AwsError =>
  new AwsError(code, message, { status: readOwn(legacies, code)?.status ?? 400 });

export const noSuchQueue = (): AwsError => sqsRefusal('QueueDoesNotExist', 'The specified queue does not exist.');

export const queueExists = (attribute: string): AwsError =>
  sqsRefusal(
    'QueueNameExists',
    `A queue already exists with the same name and a different value for attribute ${attribute}`,
  );

export const deletedRecently = (): AwsError =>
  sqsRefusal(
    'QueueDeletedRecently',
    'You must wait 60 seconds after deleting a queue before you can create another with the same name.',
  );

export const purgeInProgress = (name: string): AwsError =>
  sqsRefusal('PurgeQueueInProgress', `Only one PurgeQueue operation on ${name} is allowed every 60 seconds.`);

export const notInFlight = (handle: string): AwsError =>
  sqsRefusal(
    'MessageNotInflight',
    `Value ${handle} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.`,
  );

export const badReceiptHandle = (handle: string): AwsError =>
  sqsRefusal('ReceiptHandleIsInvalid', `The input receipt handle "${handle}" is not a valid receipt handle.`);

export const badValue = (parameter: string, value: unknown, reason: string): AwsError =>
  sqsRefusal(
    'InvalidParameterValueException',
    `Value ${String(value)} for parameter ${parameter} is invalid. Reason: ${reason}`,
  );

export const missingSqsParameter = (parameter: string): AwsError =>
  sqsRefusal('MissingRequiredParameterException', `The request must contain the parameter ${parameter}.`);

export const badName = (): AwsError =>
  sqsRefusal(
    'InvalidParameterValueException',
    'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
  );

export const unknownAttribute = (name: string): AwsError =>
  sqsRefusal('InvalidAttributeName', `Unknown Attribute ${name}.`);

export const badAttribute = (name: string, reason = `Invalid value for the parameter ${name}.`): AwsError =>
  sqsRefusal('InvalidAttributeValue', reason);

export const badContents = (): AwsError =>
  sqsRefusal(
    'InvalidMessageContents',
    'Invalid binary character was found in the message body: the set of allowed characters is #x9 | #xA | #xD | [#x20 to #xD7FF] | [#xE000 to #xFFFD] | [#x10000 to #x10FFFF]',
  );

export const messageTooLong = (bytes: number): AwsError =>
  sqsRefusal(
    'InvalidParameterValueException',
    `One or more parameters are invalid. Reason: Message must be shorter than ${bytes} bytes.`,
  );

export const badFifoName = (): AwsError =>
  sqsRefusal(
    'InvalidParameterValueException',
    'The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length',
  );

export const wrongQueueKind = (parameter: string, value: unknown): AwsError =>
  badValue(parameter, value, 'The request include parameter that is not valid for this queue type.');

export const missingDeduplicationId = (): AwsError =>
  sqsRefusal(
    'InvalidParameterValueException',
    'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
  );

/** @param entry what the batch should have: `SendMessageBatchRequestEntry` */
export const emptyBatch = (entry: string): AwsError =>
  sqsRefusal('EmptyBatchRequest', `There should be at least one ${entry} in the request.`);

export const badAttributeName = (name: string): AwsError =>
  sqsRefusal(
    'InvalidParameterValueException',
    `The message attribute name '${name}' is invalid. Attribute name can contain A-Z, a-z, 0-9, underscore (_), hyphen (-), and period (.) characters.`,
  );

export const badAttributeType = (name: string): AwsError =>
  sqsRefusal(
    'InvalidParameterValueException',
    `The message attribute '${name}' has an invalid message attribute type, the set of supported type prefixes is Binary, Number, and String.`,
  );

export const queueTagLimitError = (queue: string): AwsError =>
  sqsRefusal('InvalidParameterValueException', `Too many tags added for queue ${queue}.`);

export const badTagKeys = (): AwsError =>
  sqsRefusal('InvalidParameterValueException', 'Tag keys must be between 1 and 128 characters in length.');

export const tooManyEntries = (count: number): AwsError =>
  sqsRefusal('TooManyEntriesInBatchRequest', `Maximum number of entries per request are 10. You have sent ${count}.`);

export const batchSizeError = (bytes: number, most: number): AwsError =>
  sqsRefusal(
    'BatchRequestTooLong',
    `Batch requests cannot be longer than ${most} bytes. You have sent ${bytes} bytes.`,
  );

export const sameIds = (id: string): AwsError => sqsRefusal('BatchEntryIdsNotDistinct', `Id ${id} repeated.`);

export const badEntryId = (): AwsError =>
  sqsRefusal(
    'InvalidBatchEntryId',
    'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
  );

export const sqsBadToken = (token: string): AwsError =>
  badValue('NextToken', token, 'The token is not one that this service gave out.');

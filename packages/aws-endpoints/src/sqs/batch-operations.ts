import type {
  BatchResultErrorEntry,
  ChangeMessageVisibilityBatchRequest,
  ChangeMessageVisibilityBatchResult,
  DeleteMessageBatchRequest,
  DeleteMessageBatchResult,
  SendMessageBatchRequest,
  SendMessageBatchResult,
} from '@aws-sdk/client-sqs';
import { AwsError } from '../codec/aws-error.ts';
import { badEntryId, batchSizeError, emptyBatch, legacyCodeOf, sameIds, tooManyEntries } from './errors.ts';
import { changeMessageVisibility, sendToQueue } from './message-operations.ts';
import { queueNameOf, type SqsModel } from './model.ts';

export function sendMessages(model: SqsModel, input: SendMessageBatchRequest): SendMessageBatchResult {
  const queue = queueOf(model, input);
  checkBatchSize(input);
  return eachOf('SendMessageBatchRequestEntry', input.Entries, (entry) => ({
    MessageId: '',
    MD5OfMessageBody: '',
    ...sendToQueue(model, queue, entry),
  }));
}

/** As long as all bodies of a batch may be together. */
const mostBatchBytes = 1_048_576;

function checkBatchSize({ Entries: entries = [] }: SendMessageBatchRequest): void {
  const bytes = entries.reduce((sum, { MessageBody = '' }) => sum + Buffer.byteLength(MessageBody), 0);
  if (bytes > mostBatchBytes) throw batchSizeError(bytes, mostBatchBytes);
}

export function deleteMessages(model: SqsModel, input: DeleteMessageBatchRequest): DeleteMessageBatchResult {
  const queue = queueOf(model, input);
  return eachOf('DeleteMessageBatchRequestEntry', input.Entries, (entry) => {
    model.queues.deleteMessage(queue, entry.ReceiptHandle ?? '');
    return {};
  });
}

export function changeVisibilities(
  model: SqsModel,
  input: ChangeMessageVisibilityBatchRequest,
): ChangeMessageVisibilityBatchResult {
  const queue = queueOf(model, input);
  return eachOf('ChangeMessageVisibilityBatchRequestEntry', input.Entries, (entry) =>
    changeMessageVisibility(model, queue, entry),
  );
}

const queueOf = ({ queues }: SqsModel, { QueueUrl: url }: { readonly QueueUrl: string | undefined }): string =>
  queues.get(queueNameOf(url)).name;

type BatchRequestEntry = { readonly Id: string | undefined };
type Results<Output> = { Successful: (Output & { Id: string })[]; Failed: BatchResultErrorEntry[] };

/** Entries succeed and fail each by itself. @throws AwsError about the batch as a whole */
function eachOf<E extends BatchRequestEntry, Output extends object>(
  kind: string,
  entries: readonly E[] = [],
  work: (entry: E) => Output,
): Results<Output> {
  if (entries.length === 0) throw emptyBatch(kind);
  checkBatch(entries);
  const results: Results<Output> = { Successful: [], Failed: [] };
  for (const entry of entries) {
    const id = entry.Id ?? '';
    try {
      results.Successful.push({ Id: id, ...work(entry) });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      results.Failed.push(writeBatchFailure(id, error));
    }
  }
  return results;
}

function checkBatch(entries: readonly BatchRequestEntry[]): void {
  if (entries.length > 10) throw tooManyEntries(entries.length);
  const seen = new Set<string>();
  for (const { Id: id = '' } of entries) {
    if (!/^[\w-]{1,80}$/.test(id)) throw badEntryId();
    if (seen.has(id)) throw sameIds(id);
    seen.add(id);
  }
}

const writeBatchFailure = (id: string, error: AwsError): BatchResultErrorEntry => ({
  Id: id,
  SenderFault: error.fault === 'Sender',
  Code: legacyCodeOf(error.code),
  Message: error.message,
});

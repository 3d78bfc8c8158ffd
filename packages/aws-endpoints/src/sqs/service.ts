import {
  ChangeMessageVisibility$,
  ChangeMessageVisibilityBatch$,
  CreateQueue$,
  DeleteMessage$,
  DeleteMessageBatch$,
  DeleteQueue$,
  GetQueueAttributes$,
  GetQueueUrl$,
  ListDeadLetterSourceQueues$,
  ListQueues$,
  ListQueueTags$,
  PurgeQueue$,
  ReceiveMessage$,
  SendMessage$,
  SendMessageBatch$,
  SetQueueAttributes$,
  TagQueue$,
  UntagQueue$,
} from '@aws-sdk/client-sqs';
import type { OperationSchema } from '../codec/shape.ts';
import { defineOperation, type AwsCaller, type AwsOperation, type AwsService } from '../service.ts';
import { changeVisibilities, deleteMessages, sendMessages } from './batch-operations.ts';
import { changeVisibility, deleteMessage, receiveMessage, sendMessage, whenReceivable } from './message-operations.ts';
import { sqsJson, sqsQuery } from './protocol.ts';
import {
  createQueue,
  deadLetterSources,
  deleteQueue,
  getQueueAttributes,
  getQueueUrl,
  listQueues,
  listQueueTags,
  purgeQueue,
  setQueueAttributes,
  tagQueue,
  untagQueue,
} from './queue-operations.ts';
import { sdkCodeOf } from './errors.ts';
import type { SqsModel } from './model.ts';
import { sqsLimits } from './input-limits.ts';

/** The queue service, in JSON as clients speak today and in the older query protocol. */
export const sqsService = (model: Omit<SqsModel, 'origin'>): AwsService => {
  const serve = <Input, Output extends object>(
    schema: OperationSchema,
    work: (model: SqsModel, input: Input) => Output,
  ): AwsOperation =>
    defineOperation(schema, (input: Input, { origin }: AwsCaller) => work({ ...model, origin }, input));
  return {
    name: 'sqs',
    protocol: sqsJson,
    protocolFor: ({ headers }) => (headers['x-amz-target'] === undefined ? sqsQuery : sqsJson),
    sdkCode: sdkCodeOf,
    commonErrors: {
      throttling: { code: 'RequestThrottled', status: 403 },
      accessDenied: { code: 'AccessDeniedException', status: 403 },
    },
    limits: sqsLimits,
    operations: [
      serve(CreateQueue$, createQueue),
      serve(GetQueueUrl$, getQueueUrl),
      serve(ListQueues$, listQueues),
      serve(GetQueueAttributes$, getQueueAttributes),
      serve(SetQueueAttributes$, setQueueAttributes),
      serve(PurgeQueue$, purgeQueue),
      serve(DeleteQueue$, deleteQueue),
      serve(ListQueueTags$, listQueueTags),
      serve(TagQueue$, tagQueue),
      serve(UntagQueue$, untagQueue),
      serve(ListDeadLetterSourceQueues$, deadLetterSources),
      serve(SendMessage$, sendMessage),
      serve(SendMessageBatch$, sendMessages),
      { ...serve(ReceiveMessage$, receiveMessage), ready: whenReceivable(model.queues) },
      serve(DeleteMessage$, deleteMessage),
      serve(DeleteMessageBatch$, deleteMessages),
      serve(ChangeMessageVisibility$, changeVisibility),
      serve(ChangeMessageVisibilityBatch$, changeVisibilities),
    ],
  };
};

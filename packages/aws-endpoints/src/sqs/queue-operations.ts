import type {
  CreateQueueRequest,
  CreateQueueResult,
  DeleteQueueRequest,
  GetQueueAttributesRequest,
  GetQueueAttributesResult,
  GetQueueUrlRequest,
  GetQueueUrlResult,
  ListDeadLetterSourceQueuesRequest,
  ListDeadLetterSourceQueuesResult,
  ListQueuesRequest,
  ListQueuesResult,
  ListQueueTagsRequest,
  ListQueueTagsResult,
  PurgeQueueRequest,
  SetQueueAttributesRequest,
  TagQueueRequest,
  UntagQueueRequest,
} from '@aws-sdk/client-sqs';
import { takePage } from '../paging.ts';
import { checkAskedAttributes } from './attributes.ts';
import { badTagKeys, sqsBadToken, missingSqsParameter, queueTagLimitError } from './errors.ts';
import { queueNameOf, queueUrl, type SqsModel } from './model.ts';
import type { Queue } from './queues.ts';

export function createQueue(model: SqsModel, input: CreateQueueRequest): CreateQueueResult {
  const { QueueName: name = '', Attributes: attributes = {}, tags = {} } = input;
  if (name === '') throw missingSqsParameter('QueueName');
  model.queues.create(name, attributes, tags);
  return { QueueUrl: queueUrl(model, name) };
}

export function getQueueUrl(model: SqsModel, { QueueName: name = '' }: GetQueueUrlRequest): GetQueueUrlResult {
  if (name === '') throw missingSqsParameter('QueueName');
  return { QueueUrl: queueUrl(model, model.queues.get(name).name) };
}

/** Names have a next page only for who asks for pages. */
export function listQueues(model: SqsModel, input: ListQueuesRequest): ListQueuesResult {
  const { QueueNamePrefix: prefix = '', MaxResults: size, NextToken: token } = input;
  const names = model.queues.all().flatMap(({ name }) => (name.startsWith(prefix) ? name : []));
  const { items, next } = takePage(names, { size: size ?? 1_000, token, refuse: sqsBadToken });
  return {
    ...(items.length > 0 && { QueueUrls: items.map((name) => queueUrl(model, name)) }),
    ...(next !== undefined && size !== undefined && { NextToken: next }),
  };
}

export function getQueueAttributes(
  { queues }: SqsModel,
  { QueueUrl: url, AttributeNames: asked = [] }: GetQueueAttributesRequest,
): GetQueueAttributesResult {
  checkAskedAttributes(asked);
  const queue = queues.get(queueNameOf(url));
  const { visible, inFlight, delayed } = queues.counts(queue.name);
  const all: Readonly<Record<string, string>> = {
    QueueArn: queues.arnOf(queue.name),
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    CreatedTimestamp: String(Math.floor(queue.createdAt / 1000)),
    LastModifiedTimestamp: String(Math.floor(queue.changedAt / 1000)),
    ...queue.attributes,
  };
  const wanted = Object.entries(all).filter(([name]) => isAsked(asked, name));
  return wanted.length === 0 ? {} : { Attributes: Object.fromEntries(wanted) };
}

const isAsked = (asked: readonly string[], name: string): boolean => asked.includes('All') || asked.includes(name);

export function setQueueAttributes({ queues }: SqsModel, input: SetQueueAttributesRequest): object {
  queues.setAttributes(queueNameOf(input.QueueUrl), input.Attributes ?? {});
  return {};
}

export function purgeQueue({ queues }: SqsModel, { QueueUrl: url }: PurgeQueueRequest): object {
  queues.purge(queueNameOf(url));
  return {};
}

export function deleteQueue({ queues }: SqsModel, { QueueUrl: url }: DeleteQueueRequest): object {
  queues.delete(queueNameOf(url));
  return {};
}

export function listQueueTags({ queues }: SqsModel, { QueueUrl: url }: ListQueueTagsRequest): ListQueueTagsResult {
  const { tags } = queues.get(queueNameOf(url));
  return Object.keys(tags).length === 0 ? {} : { Tags: { ...tags } };
}

/** As many tags as a queue may have. */
const mostQueueTags = 50;

export function tagQueue({ queues }: SqsModel, { QueueUrl: url, Tags: tags = {} }: TagQueueRequest): object {
  const queue = queues.get(queueNameOf(url));
  if (Object.keys(tags).length === 0) throw missingSqsParameter('Tags');
  const all = { ...queue.tags, ...tags };
  if (Object.keys(all).length > mostQueueTags) throw queueTagLimitError(queue.name);
  queues.setTags(queue.name, all);
  return {};
}

export function untagQueue({ queues }: SqsModel, { QueueUrl: url, TagKeys: keys = [] }: UntagQueueRequest): object {
  const queue = queues.get(queueNameOf(url));
  if (keys.length === 0) throw badTagKeys();
  const kept = Object.entries(queue.tags).filter(([key]) => !keys.includes(key));
  queues.setTags(queue.name, Object.fromEntries(kept));
  return {};
}

export function deadLetterSources(
  model: SqsModel,
  { QueueUrl: url, MaxResults: size, NextToken: token }: ListDeadLetterSourceQueuesRequest,
): ListDeadLetterSourceQueuesResult {
  const arn = model.queues.arnOf(model.queues.get(queueNameOf(url)).name);
  const isSource = ({ attributes }: Queue): boolean => attributes['RedrivePolicy']?.includes(`"${arn}"`) ?? false;
  const { items, next } = takePage(model.queues.all().filter(isSource), {
    size: size ?? 1_000,
    token,
    refuse: sqsBadToken,
  });
  return {
    queueUrls: items.map(({ name }) => queueUrl(model, name)),
    ...(next !== undefined && size !== undefined && { NextToken: next }),
  };
}

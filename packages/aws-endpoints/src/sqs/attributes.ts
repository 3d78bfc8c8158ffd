import { readOwn } from '@nodewright/apis';
import { badAttribute, unknownAttribute } from './errors.ts';

export type QueueAttributes = Readonly<Record<string, string>>;

/** A whole number of the attribute's unit: seconds, or bytes for a size. */
type QueueAttributeRule = { readonly least: number; readonly most: number } | 'text' | 'trueOrFalse' | 'json';

const queueAttributeRules: Readonly<Record<string, QueueAttributeRule>> = {
  DelaySeconds: { least: 0, most: 900 },
  MaximumMessageSize: { least: 1_024, most: 1_048_576 },
  MessageRetentionPeriod: { least: 60, most: 1_209_600 },
  ReceiveMessageWaitTimeSeconds: { least: 0, most: 20 },
  VisibilityTimeout: { least: 0, most: 43_200 },
  SqsManagedSseEnabled: 'trueOrFalse',
  KmsMasterKeyId: 'text',
  KmsDataKeyReusePeriodSeconds: { least: 60, most: 86_400 },
  Policy: 'json',
  RedrivePolicy: 'json',
  RedriveAllowPolicy: 'json',
};

/** The values of attributes that FIFO queues alone have. */
const fifoAttributeValues: Readonly<Record<string, readonly string[]>> = {
  FifoQueue: ['true'],
  ContentBasedDeduplication: ['true', 'false'],
  DeduplicationScope: ['queue', 'messageGroup'],
  FifoThroughputLimit: ['perQueue', 'perMessageGroupId'],
};

const toldOnly: readonly string[] = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
  'CreatedTimestamp',
  'LastModifiedTimestamp',
  'QueueArn',
];

/** What a queue has unless its maker says otherwise. */
export const usualAttributes: QueueAttributes = {
  DelaySeconds: '0',
  MaximumMessageSize: '1048576',
  MessageRetentionPeriod: '345600',
  ReceiveMessageWaitTimeSeconds: '0',
  VisibilityTimeout: '30',
  SqsManagedSseEnabled: 'true',
};

/** @throws AwsError about the first attribute that may not be set in a queue of this kind, or not so */
export function checkAttributes(attributes: QueueAttributes, isFifo: boolean): void {
  for (const [name, value] of Object.entries(attributes)) {
    const values = readOwn(fifoAttributeValues, name);
    if (values !== undefined && !isFifo) throw unknownAttribute(name);
    if (values?.includes(value) === false) throw badAttribute(name);
    if (values !== undefined) continue;
    const rule = readOwn(queueAttributeRules, name);
    if (rule === undefined) throw unknownAttribute(name);
    if (!satisfiesAttributeRule(rule, value)) throw badAttribute(name);
  }
}

/** An empty text takes a policy away. */
function satisfiesAttributeRule(rule: QueueAttributeRule, value: string): boolean {
  if (rule === 'text') return true;
  if (rule === 'trueOrFalse') return value === 'true' || value === 'false';
  if (rule === 'json') return value === '' || isJson(value);
  return /^\d+$/.test(value) && Number(value) >= rule.least && Number(value) <= rule.most;
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

/** @throws AwsError for a name that no queue has */
export function checkAskedAttributes(names: readonly string[]): void {
  const known = ['All', ...Object.keys(queueAttributeRules), ...Object.keys(fifoAttributeValues), ...toldOnly];
  for (const name of names) if (!known.includes(name)) throw unknownAttribute(name);
}

import { instant, type Instant, readOwn } from '@nodewright/apis';
import type { Interruption, QueuedMessage } from '@nodewright/ports';

type MessageFields = Readonly<Record<string, unknown>>;
type Said = Pick<Interruption, 'kind' | 'instanceIds'>;

const noOp: Said = { kind: 'no_op', instanceIds: [] };

/** What the detail of an event means, by version, source and type of the envelope. */
const readers: Readonly<Record<string, (detail: MessageFields) => Said>> = {
  '0 aws.ec2 EC2 Spot Instance Interruption Warning': aboutOne('spot_interrupted'),
  '0 aws.ec2 EC2 Instance Rebalance Recommendation': aboutOne('rebalance_recommendation'),
  '0 aws.ec2 EC2 Capacity Reservation Instance Interruption Warning': aboutOne('capacity_reservation_interrupted'),
  '0 aws.ec2 EC2 Instance State-change Notification': stateChange,
  '0 aws.health AWS Health Event': parseHealthEvent,
};

/** What a message of the interruption queue says: an event of EventBridge, or something that is none of ours. */
export function parseMessage(body: string): QueuedMessage['content'] {
  if (body.trim() === '') return noOp;
  const event = parseMessageBody(body);
  if ('because' in event) return { kind: 'malformed', because: event.because };
  const { version, source, 'detail-type': type, detail, time } = event.fields;
  const read = readOwn(readers, [version, source, type].map(messageTextOf).join(' '));
  const announcedAt = messageInstantOf(time);
  return { ...(read?.(messageFieldsOf(detail)) ?? noOp), ...(announcedAt !== undefined && { announcedAt }) };
}

function parseMessageBody(body: string): { readonly fields: MessageFields } | { readonly because: string } {
  try {
    const json: unknown = JSON.parse(body);
    return isMessageFields(json) ? { fields: json } : { because: 'it is no JSON object' };
  } catch (error) {
    return { because: (error as Error).message };
  }
}

function aboutOne(kind: Said['kind']) {
  return ({ 'instance-id': id }: MessageFields): Said => ({ kind, instanceIds: dropMissing([messageTextOf(id)]) });
}

const kindOfState: Readonly<Record<string, Said['kind']>> = {
  stopping: 'instance_stopped',
  stopped: 'instance_stopped',
  'shutting-down': 'instance_terminated',
  terminated: 'instance_terminated',
};

function stateChange({ state, ...detail }: MessageFields): Said {
  const kind = readOwn(kindOfState, messageTextOf(state).toLowerCase());
  return kind === undefined ? noOp : aboutOne(kind)(detail);
}

/** Announcements of what is over, or was called off, come too; they are no reason to move anything. */
function parseHealthEvent({ service, eventTypeCategory, statusCode, affectedEntities }: MessageFields): Said {
  if (service !== 'EC2' || eventTypeCategory !== 'scheduledChange' || statusCode === 'closed') return noOp;
  const entities: readonly unknown[] = Array.isArray(affectedEntities) ? affectedEntities : [];
  return {
    kind: 'scheduled_change',
    instanceIds: dropMissing(entities.map((each) => messageTextOf(messageFieldsOf(each)['entityValue']))),
  };
}

const isMessageFields = (value: unknown): value is MessageFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const messageFieldsOf = (value: unknown): MessageFields => (isMessageFields(value) ? value : {});
const messageTextOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const dropMissing = (texts: readonly string[]): readonly string[] => texts.filter((text) => text !== '');

function messageInstantOf(time: unknown): Instant | undefined {
  const ms = Date.parse(messageTextOf(time));
  return Number.isNaN(ms) ? undefined : instant(ms);
}

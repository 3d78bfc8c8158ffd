import { instant, type Instant, readOwn } from '@nodewright/apis';
import type { Interruption, QueuedMessage } from '@nodewright/ports';

type Fields = Readonly<Record<string, unknown>>;
type Said = Pick<Interruption, 'kind' | 'instanceIds'>;

const noOp: Said = { kind: 'no_op', instanceIds: [] };

/** What the detail of an event means, by version, source and type of the envelope. */
const readers: Readonly<Record<string, (detail: Fields) => Said>> = {
  '0 aws.ec2 EC2 Spot Instance Interruption Warning': aboutOne('spot_interrupted'),
  '0 aws.ec2 EC2 Instance Rebalance Recommendation': aboutOne('rebalance_recommendation'),
  '0 aws.ec2 EC2 Capacity Reservation Instance Interruption Warning': aboutOne('capacity_reservation_interrupted'),
  '0 aws.ec2 EC2 Instance State-change Notification': stateChange,
  '0 aws.health AWS Health Event': healthEvent,
};

/** What a message of the interruption queue says: an event of EventBridge, or something that is none of ours. */
export function parseMessage(body: string): QueuedMessage['content'] {
  if (body.trim() === '') return noOp;
  const event = parsed(body);
  if ('because' in event) return { kind: 'malformed', because: event.because };
  const { version, source, 'detail-type': type, detail, time } = event.fields;
  const read = readOwn(readers, [version, source, type].map(textOf).join(' '));
  const announcedAt = instantOf(time);
  return { ...(read?.(fieldsOf(detail)) ?? noOp), ...(announcedAt !== undefined && { announcedAt }) };
}

function parsed(body: string): { readonly fields: Fields } | { readonly because: string } {
  try {
    const json: unknown = JSON.parse(body);
    return isFields(json) ? { fields: json } : { because: 'it is no JSON object' };
  } catch (error) {
    return { because: (error as Error).message };
  }
}

function aboutOne(kind: Said['kind']) {
  return ({ 'instance-id': id }: Fields): Said => ({ kind, instanceIds: present([textOf(id)]) });
}

const kindOfState: Readonly<Record<string, Said['kind']>> = {
  stopping: 'instance_stopped',
  stopped: 'instance_stopped',
  'shutting-down': 'instance_terminated',
  terminated: 'instance_terminated',
};

function stateChange({ state, ...detail }: Fields): Said {
  const kind = readOwn(kindOfState, textOf(state).toLowerCase());
  return kind === undefined ? noOp : aboutOne(kind)(detail);
}

/** Announcements of what is over, or was called off, come too; they are no reason to move anything. */
function healthEvent({ service, eventTypeCategory, statusCode, affectedEntities }: Fields): Said {
  if (service !== 'EC2' || eventTypeCategory !== 'scheduledChange' || statusCode === 'closed') return noOp;
  const entities: readonly unknown[] = Array.isArray(affectedEntities) ? affectedEntities : [];
  return {
    kind: 'scheduled_change',
    instanceIds: present(entities.map((each) => textOf(fieldsOf(each)['entityValue']))),
  };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const present = (texts: readonly string[]): readonly string[] => texts.filter((text) => text !== '');

function instantOf(time: unknown): Instant | undefined {
  const ms = Date.parse(textOf(time));
  return Number.isNaN(ms) ? undefined : instant(ms);
}

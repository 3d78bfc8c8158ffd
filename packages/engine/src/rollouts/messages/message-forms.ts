import type { NodeRollout, NodeRolloutPolicy, RolloutMessage } from '@nodewright/apis';

/** A message as a receiver takes it. */
export type MessageBody = { readonly contentType: string; readonly body: string };

/** What a message is about: a rollout, or a policy as a whole. */
export type MessageOwner =
  | { readonly kind: 'NodeRollout'; readonly object: NodeRollout }
  | { readonly kind: 'NodeRolloutPolicy'; readonly object: NodeRolloutPolicy };

/** What a receiver gets: a stored message, or one that a user sends to try the receiver. */
export type ToldMessage = Pick<RolloutMessage, 'id' | 'text' | 'at'> & {
  readonly event: RolloutMessage['event'] | 'Test';
};

export type MessageSubject = {
  readonly about: MessageOwner;
  readonly message: ToldMessage;
  readonly cluster: string;
};

/**
 * An event of CloudEvents 1.0 in the structured form of JSON. A message that is sent again has the same `source` and
 * `id`, by which a receiver knows it.
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md
 */
export function formatCloudEvent({ about, message, cluster }: MessageSubject): MessageBody {
  const { metadata } = about.object;
  const plural = about.kind === 'NodeRollout' ? 'noderollouts' : 'noderolloutpolicies';
  const event = {
    specversion: '1.0',
    id: `${metadata.uid ?? metadata.name}/${message.id}`,
    source: `/clusters/${encodeURIComponent(cluster)}/${plural}`,
    type: `dev.nodewright.rollout.${message.event.toLowerCase()}`,
    subject: metadata.name,
    time: message.at,
    datacontenttype: 'application/json',
    data: {
      cluster,
      policy: policyOfMessage(about),
      event: message.event,
      message: message.text,
      ...(about.kind === 'NodeRollout' ? rolloutData(about.object) : {}),
    },
  };
  return { contentType: 'application/cloudevents+json; charset=utf-8', body: JSON.stringify(event) };
}

export const policyOfMessage = (about: MessageOwner): string =>
  about.kind === 'NodeRollout' ? about.object.spec.policy : about.object.metadata.name;

const rolloutData = ({ metadata, spec: { cause, from, to } }: NodeRollout) => ({
  rollout: metadata.name,
  cause,
  from,
  to,
});

/** A message of an incoming webhook of Slack. */
export function formatSlackMessage({ message, cluster }: MessageSubject): MessageBody {
  const where = cluster === '' ? '' : `${cluster}: `;
  return {
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ text: `*${message.event}* ${escapeSlack(`${where}${message.text}`)}` }),
  };
}

/** Slack reads these three as control characters. */
const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The message in the form that its receiver asks for. */
export const formatMessage = (format: 'CloudEvents' | 'Slack', subject: MessageSubject): MessageBody =>
  format === 'Slack' ? formatSlackMessage(subject) : formatCloudEvent(subject);

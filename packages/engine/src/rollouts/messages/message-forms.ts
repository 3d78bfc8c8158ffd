import type { NodeRollout, RolloutMessage } from '@nodewright/apis';

/** A message as a receiver takes it. */
export type MessageBody = { readonly contentType: string; readonly body: string };

export type MessageSubject = {
  readonly rollout: NodeRollout;
  readonly message: RolloutMessage;
  readonly cluster: string;
};

/**
 * An event of CloudEvents 1.0 in the structured form of JSON. A message that is sent again has the same `source` and
 * `id`, by which a receiver knows it.
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md
 */
export function formatCloudEvent({ rollout, message, cluster }: MessageSubject): MessageBody {
  const { metadata, spec } = rollout;
  const event = {
    specversion: '1.0',
    id: `${metadata.uid ?? metadata.name}/${message.id}`,
    source: `/clusters/${encodeURIComponent(cluster)}/noderollouts`,
    type: `dev.nodewright.rollout.${message.event.toLowerCase()}`,
    subject: metadata.name,
    time: message.at,
    datacontenttype: 'application/json',
    data: {
      cluster,
      policy: spec.policy,
      rollout: metadata.name,
      event: message.event,
      message: message.text,
      cause: spec.cause,
      from: spec.from,
      to: spec.to,
    },
  };
  return { contentType: 'application/cloudevents+json; charset=utf-8', body: JSON.stringify(event) };
}

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

import { isAge, parseAge } from '@nodewright/apis';
import {
  imageArchitectures,
  imageVariants,
  isLabelMap,
  type NodeBehavior,
  nodeBehaviors,
} from '@nodewright/aws-endpoints';
import { nearestKey } from '@nodewright/requirements';
import type { FieldReader } from './field-reader.ts';
import type { ReleaseBehavior } from './scenario-file.ts';

const behaviorForm =
  'write NAME, NAME after 3h, NAME on 30% of nodes after 3h, or containersFail for pods app=web on 30% of nodes after 3h';

const podsForm = 'write labels such as {app: web}, with texts as values';

/** `NAME for pods app=web on 30% of nodes after 3h`, each part but the name optional. */
const behaviorPattern =
  /^(\w+)(?:\s+for\s+pods\s+(\S+))?(?:\s+on\s+(\d+(?:\.\d+)?)%(?:\s+of\s+nodes)?)?(?:\s+after\s+(\S+))?$/;

/** `stopsRenewing after 3h`, `notReady on 30% of nodes`, or an object with the same parts. */
export function readReleaseBehavior(field: FieldReader): ReleaseBehavior | undefined {
  if (field.isObject) return readBehaviorObject(field);
  const text = field.text(behaviorForm);
  if (text === undefined) return undefined;
  const parts = behaviorPattern.exec(text.trim());
  if (parts === null) return field.want(behaviorForm);
  const [, name = '', labels, percent, after] = parts;
  if (after !== undefined && !isAge(after)) return field.want(`"${after}" is no duration; ${behaviorForm}`);
  const pods = labels === undefined ? undefined : parseLabels(labels);
  if (labels !== undefined && pods === undefined)
    return field.want(`"${labels}" are no labels; write app=web, or app=web,tier=front`);
  const behavior = readBehaviorName(field, name);
  return composeBehavior({
    behavior,
    share: percent === undefined ? 1 : readShare(field, percent),
    pods: pods && refuseOtherPods(field, behavior, pods),
    afterMs: after === undefined ? undefined : parseAge(after),
  });
}

function readBehaviorObject(field: FieldReader): ReleaseBehavior | undefined {
  const fields = field.fields(['kind', 'after', 'share', 'pods', 'variant', 'arch']);
  if (fields === undefined) return undefined;
  const { kind, after, share, pods, variant, arch } = fields;
  const behavior = readBehaviorName(kind, kind.text() ?? '');
  const labels = pods.isMissing ? undefined : readPodLabels(pods);
  return composeBehavior({
    behavior,
    share: share.isMissing ? 1 : readWrittenShare(share),
    pods: labels && refuseOtherPods(pods, behavior, labels),
    afterMs: after.isMissing ? undefined : after.duration(),
    variant: variant.isMissing ? undefined : variant.choice(imageVariants),
    arch: arch.isMissing ? undefined : arch.choice(imageArchitectures),
  });
}

type BehaviorParts = { readonly [Name in keyof ReleaseBehavior]: ReleaseBehavior[Name] | undefined };

function composeBehavior({ behavior, share, ...others }: BehaviorParts): ReleaseBehavior | undefined {
  if (behavior === undefined || share === undefined) return undefined;
  const written = Object.entries(others).filter(([, value]) => value !== undefined);
  return { behavior, share, ...Object.fromEntries(written) };
}

function readWrittenShare(field: FieldReader): number | undefined {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(field.optionalText() ?? '')?.[1];
  return percent === undefined
    ? field.want('write a share of the nodes in quotes, such as "30%"')
    : readShare(field, percent);
}

function readShare(field: FieldReader, percent: string): number | undefined {
  const share = Number(percent) / 100;
  return share > 0 && share <= 1 ? share : field.want('the share of nodes is above 0% and at most 100%');
}

/** Labels of pods: `{app: web}` or `app=web`. */
export function readPodLabels(field: FieldReader): Readonly<Record<string, string>> | undefined {
  const { value } = field;
  const labels = typeof value === 'string' ? parseLabels(value) : value;
  return isLabelMap(labels) ? labels : field.want(podsForm);
}

/** @returns undefined for a text that is something else */
function parseLabels(text: string): Readonly<Record<string, string>> | undefined {
  const parts = text.split(',').map((part) => /^(?<key>[^=\s]+)=(?<value>[^=\s]*)$/.exec(part)?.groups);
  if (parts.includes(undefined)) return undefined;
  return Object.fromEntries(parts.map((part) => [part?.['key'] ?? '', part?.['value'] ?? '']));
}

/** Other behaviors are about the node. */
function refuseOtherPods<Labels>(
  field: FieldReader,
  behavior: NodeBehavior | undefined,
  labels: Labels,
): Labels | undefined {
  if (behavior === undefined || behavior === 'containersFail') return labels;
  return field.refuse(`names pods, and ${behavior} concerns whole nodes; containersFail takes pods`);
}

function readBehaviorName(field: FieldReader, name: string): NodeBehavior | undefined {
  const found = nodeBehaviors.find((each) => each.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const meant = nearestKey(name, nodeBehaviors);
  return field.want(meant === undefined ? `there are ${nodeBehaviors.join(', ')}` : `did you mean ${meant}?`);
}

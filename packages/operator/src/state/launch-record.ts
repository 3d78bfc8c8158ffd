import { jsonAnnotation, oncePerObject, withAnnotations, type NodeClaim } from '@nodewright/apis';
import { launchedForAnnotation } from '../names.ts';

/** For which pods a claim was created. It is stored on the claim, so that a controller knows it after a restart. */
export type LaunchRecord = {
  /** What each NodePool was like that could be launched from, by its name: equal text for equal NodePools. */
  readonly pools: ReadonlyMap<string, string>;
  /** UIDs of the pods, by their scheduling class. */
  readonly classes: ReadonlyMap<string, readonly string[]>;
};

export const withLaunchRecord = (claim: NodeClaim, { pools, classes }: LaunchRecord): NodeClaim =>
  withAnnotations(claim, {
    [launchedForAnnotation]: JSON.stringify({
      pools: Object.fromEntries(pools),
      classes: Object.fromEntries(classes),
    }),
  });

/** What is stored on a claim; `undefined` when nothing is. */
export const launchRecordOf = oncePerObject((claim: NodeClaim) =>
  parseRecord(jsonAnnotation(claim, launchedForAnnotation)),
);

function parseRecord(json: Readonly<Record<string, unknown>> | undefined): LaunchRecord | undefined {
  if (json === undefined) return undefined;
  const texts = entriesOf(json['pools']).flatMap(([name, text]) => (isText(text) ? [[name, text] as const] : []));
  const classes = entriesOf(json['classes']).map(
    ([name, uids]) => [name, Array.isArray(uids) ? uids.filter(isText) : []] as const,
  );
  return { pools: new Map(texts), classes: new Map(classes) };
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

const isText = (value: unknown): value is string => typeof value === 'string';

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
  parseLaunchRecord(jsonAnnotation(claim, launchedForAnnotation)),
);

function parseLaunchRecord(json: Readonly<Record<string, unknown>> | undefined): LaunchRecord | undefined {
  if (json === undefined) return undefined;
  const texts = entriesOfRecord(json['pools']).flatMap(([name, text]) =>
    isTextValue(text) ? [[name, text] as const] : [],
  );
  const classes = entriesOfRecord(json['classes']).map(
    ([name, uids]) => [name, Array.isArray(uids) ? uids.filter(isTextValue) : []] as const,
  );
  return { pools: new Map(texts), classes: new Map(classes) };
}

const entriesOfRecord = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

const isTextValue = (value: unknown): value is string => typeof value === 'string';

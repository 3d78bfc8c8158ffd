import { ec2NodeClasses, type KubernetesObject, nodePools } from '@nodewright/apis';
import { ec2NodeClassHash, nodePoolHash } from '@nodewright/engine';
import { nameInstanceProfile } from '@nodewright/provider-aws';
import { snapshotObjects } from '../snapshot/read-cluster-objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { collectTexts } from './collect-texts.ts';
import { createNumbering } from './create-numbering.ts';
import { redactGroupTemplates } from './group-templates.ts';
import { findKeysLookedAt } from './keys-looked-at.ts';
import type { Renaming } from './number-words.ts';
import { rewriteTexts, type TextRewriter } from './rewrite-texts.ts';

/**
 * The snapshot without what may be private. Names are numbered in their order, everywhere the same, so that a forecast on it
 * is that of the cluster up to the names. Equal snapshots give equal ones.
 */
export function redactSnapshot(snapshot: Snapshot): Snapshot {
  const keysLookedAt = findKeysLookedAt(snapshot.kubernetes);
  const collected = collectTexts((rewriter) => redactWith(snapshot, { rewriter, keysLookedAt }));
  const numbered = (hashes: Renaming): Snapshot =>
    redactWith(snapshot, { rewriter: createNumbering(snapshot, collected, hashes), keysLookedAt });
  return numbered(renamedHashes(snapshot, numbered(new Map())));
}

type RedactOptions = { readonly rewriter: TextRewriter; readonly keysLookedAt: ReadonlySet<string> };

function redactWith({ aws, ...snapshot }: Snapshot, options: RedactOptions): Snapshot {
  const rewrite = <T>(value: T): T => rewriteTexts(value, options) as T;
  const { types, images, quotas, launchTemplates, ...account } = aws;
  const { kubernetes, ...rest } = snapshot;
  const objects = Object.entries(kubernetes).map(
    ([resource, all]) => [resource, all.map((each) => rewrite(each))] as const,
  );
  const rewritten = rewrite(rest);
  return {
    ...rewritten,
    kind: snapshot.kind,
    apiVersion: snapshot.apiVersion,
    kubernetes: Object.fromEntries<readonly KubernetesObject[]>(objects),
    aws: {
      ...rewrite(account),
      quotas,
      // Those of NodeClasses follow from these: the controllers make them anew.
      launchTemplates: redactGroupTemplates(launchTemplates, { rewrite, images, clusterName: rewritten.clusterName }),
      types,
      images: images.map((found) => (found.alias === undefined ? rewrite(found) : found)),
    },
  };
}

/** Hashes of what is renamed, in annotations and names of profiles: those of the redacted objects in their place. */
function renamedHashes(snapshot: Snapshot, redacted: Snapshot): Renaming {
  const after = hashesOf(redacted);
  return new Map(hashesOf(snapshot).map((hash, index) => [hash, after[index] ?? hash]));
}

const hashesOf = ({ clusterName, kubernetes, aws: { region } }: Snapshot): readonly string[] => [
  ...snapshotObjects(kubernetes, nodePools).map(nodePoolHash),
  ...snapshotObjects(kubernetes, ec2NodeClasses).flatMap((nodeClass) => [
    ec2NodeClassHash(nodeClass),
    nameInstanceProfile(nodeClass, { clusterName, region, role: nodeClass.spec.role ?? '' })
      .split('_')
      .at(-1) ?? '',
  ]),
];

import { finalizers, fromTimestamp, nodewrightAnnotations, type EC2NodeClass } from '@nodewright/apis';
import type { NodeClassPort } from '@nodewright/ports';
import type { Publisher } from '../../reporting/publisher.ts';
import { reportWaitingOnClaims } from './report.ts';
import type { ImageDecisions } from '../../state/image-decisions.ts';
import type { Objects } from '../../state/objects.ts';
import type { NodeClassAction } from './plan.ts';

export type NodeClassDeps = {
  readonly objects: Objects;
  readonly nodeClasses: NodeClassPort;
  readonly publish: Publisher;
  readonly decisions: ImageDecisions;
};

export async function performNodeClassAction(
  { objects, nodeClasses, publish, decisions }: NodeClassDeps,
  nodeClass: EC2NodeClass,
  action: NodeClassAction,
  signal: AbortSignal,
): Promise<void> {
  switch (action.kind) {
    case 'adopt':
      await objects.nodeClasses.save(nodeClass, action.after);
      return;
    case 'migrateClaim':
      await objects.nodeClaims.save(action.claim, action.after);
      return;
    case 'write':
      await writeNodeClass(objects, nodeClass, action.after);
      if (action.record !== undefined) decisions.record(nodeClass.metadata.name, action.record);
      return;
    case 'awaitClaims':
      publish(reportWaitingOnClaims(nodeClass, action.claims));
      return;
    case 'cleanUp':
      await nodeClasses.cleanUp(nodeClass, signal);
      await objects.nodeClasses.save(nodeClass, releasedNodeClass(nodeClass));
  }
}

/**
 * Images and the end of their decision are two writes. Whichever order never lets the images stored
 * be taken for valid longer than they are: a nearer end goes first, a later one last.
 */
async function writeNodeClass({ nodeClasses }: Objects, before: EC2NodeClass, after: EC2NodeClass): Promise<void> {
  const endFirst = deletionTimeOf(after) < deletionTimeOf(before);
  const parts = endFirst ? [metadataPart, statusPart] : [statusPart, metadataPart];
  let current: EC2NodeClass | undefined = before;
  for (const part of parts) if (current !== undefined) current = await nodeClasses.save(current, part(current, after));
}

const metadataPart = (current: EC2NodeClass, { metadata: { annotations } }: EC2NodeClass): EC2NodeClass => ({
  ...current,
  metadata: { ...current.metadata, ...(annotations === undefined ? {} : { annotations }) },
});

const statusPart = (current: EC2NodeClass, { status }: EC2NodeClass): EC2NodeClass => ({
  ...current,
  ...(status === undefined ? {} : { status }),
});

function deletionTimeOf({ metadata }: EC2NodeClass): number {
  const end = metadata.annotations?.[nodewrightAnnotations.decisionValidUntil];
  return end === undefined ? Infinity : fromTimestamp(end);
}

const releasedNodeClass = (nodeClass: EC2NodeClass): EC2NodeClass => ({
  ...nodeClass,
  metadata: {
    ...nodeClass.metadata,
    finalizers: (nodeClass.metadata.finalizers ?? []).filter((name) => name !== finalizers.ec2NodeClass),
  },
});

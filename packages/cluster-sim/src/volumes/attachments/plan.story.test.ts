import type { VolumeAttachment } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { plan } from './plan.ts';

const anAttachment = (name: string, attached?: boolean): VolumeAttachment => ({
  metadata: { name },
  spec: { attacher: 'ebs.csi.aws.com', nodeName: 'node-1', source: { persistentVolumeName: name } },
  ...(attached === undefined ? {} : { status: { attached } }),
});

for (const { fact, existing, wanted, actions } of [
  { fact: 'attaches a volume that a pod needs', existing: [], wanted: ['a'], actions: ['create a', 'markAttached a'] },
  {
    fact: 'attaches a volume of two pods once',
    existing: [],
    wanted: ['a', 'a'],
    actions: ['create a', 'markAttached a'],
  },
  { fact: 'leaves an attached volume alone', existing: [anAttachment('a', true)], wanted: ['a'], actions: [] },
  {
    fact: 'finishes an attachment that was begun',
    existing: [anAttachment('a')],
    wanted: ['a'],
    actions: ['markAttached a'],
  },
  {
    fact: 'detaches a volume that no pod needs, first',
    existing: [anAttachment('a', true)],
    wanted: ['b'],
    actions: ['delete a', 'create b', 'markAttached b'],
  },
]) {
  test(`a node ${fact}`, () => {
    const decision = plan({ existing, wanted: wanted.map((name) => anAttachment(name)) });
    expect(decision.actions.map(({ kind, attachment }) => `${kind} ${attachment.metadata.name}`)).toEqual(actions);
  });
}

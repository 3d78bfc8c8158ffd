import { conditionOf, type FinishedUpdate, type NodeGroup } from '@nodewright/apis';
import type { NodeStanding } from '@nodewright/operator';
import { printTable } from '../../terminal/table.ts';
import { groupNameOf } from './named-group.ts';

/** Where a group stands, for people. */
export function printStatus(nodeGroup: NodeGroup, nodes: readonly NodeStanding[]): string {
  const { spec, status = {} } = nodeGroup;
  const { target, update, blockedBy = [] } = status;
  const facts = [
    ['group', `${groupNameOf(nodeGroup)} (${spec.eks === undefined ? 'Auto Scaling group' : 'EKS managed'})`],
    ['phase', status.phase ?? 'Pending'],
    ['reason', status.reason ?? 'no controller has looked at it yet'],
    ...(target === undefined ? [] : [['target', [target.release, target.image].filter(Boolean).join(', ')]]),
    ...(update === undefined ? [] : [['update', updateWords(update)]]),
    ...troubleOf(nodeGroup).map((message) => ['trouble', message]),
    ...blockedBy.map(({ message, since }) => ['blocked', `${message} (since ${since})`]),
  ];
  const width = Math.max(...facts.map(([name = '']) => name.length));
  const lines = facts.map(([name = '', value = '']) => `${name.padEnd(width)}   ${value}`);
  const rows = nodes.map(({ name, zone, image, standing }) => [name, zone, image, standing]);
  return rows.length === 0
    ? lines.join('\n')
    : `${lines.join('\n')}\n\n${printTable(['NODE', 'ZONE', 'IMAGE', 'STANDING'], rows)}`;
}

/** What AWS answered to a call that the controller makes again. */
export const troubleOf = (nodeGroup: NodeGroup): readonly string[] => {
  const progressing = conditionOf(nodeGroup, 'Progressing');
  return progressing?.status === 'False' ? [progressing.message ?? progressing.reason ?? ''] : [];
};

const updateWords = ({
  number,
  id,
  target,
  phase,
  startedAt,
}: NonNullable<NonNullable<NodeGroup['status']>['update']>): string =>
  [
    `number ${number} to ${target}`,
    ...(id === undefined ? [] : [id]),
    ...(phase === undefined ? [] : [phase]),
    `since ${startedAt}`,
  ].join(', ');

export const printHistory = (history: readonly FinishedUpdate[]): string =>
  history.length === 0
    ? 'no update has ended yet'
    : printTable(
        ['NUMBER', 'TARGET', 'OUTCOME', 'STARTED', 'ENDED', 'WHY'],
        history.map((each) => [
          String(each.number),
          each.target,
          each.reverted === true ? `${each.outcome}, turned around` : each.outcome,
          each.startedAt,
          each.endedAt,
          [each.code, each.message, ...(each.resourceIds ?? [])].filter(Boolean).join(' '),
        ]),
      );

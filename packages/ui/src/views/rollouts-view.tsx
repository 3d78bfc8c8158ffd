import { byText } from '@nodewright/apis';
import {
  countWords,
  type Dashboard,
  type NodeRow,
  type RolloutRow,
  nameCause,
  spellWords,
} from '@nodewright/dashboard/rows';
import { CopyButton } from '../parts/copy-button.tsx';
import { DataTable, type DataColumn } from '../parts/data-table.tsx';
import { ExplainLink } from '../parts/explain-link.tsx';
import { IfShown } from '../parts/if-shown.tsx';
import { SentenceText } from '../parts/sentence-text.tsx';
import { AgeText, TimeText } from '../parts/time-text.tsx';
import { EvidencePlots } from './evidence-plots.tsx';
import { NodeGroupCard } from './node-group-card.tsx';
import { NotificationsCard } from './notifications-card.tsx';
import { PolicyCard } from './policy-card.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { WaveTimeline } from './wave-timeline.tsx';

/** Rollouts under way and the last ones: how far, what they wait for, what is known of the new image. */
export function RolloutsView({
  dashboard: { rollouts, nodes, nodeGroups, policies, notifications },
}: {
  readonly dashboard: Dashboard;
}) {
  const moving = nodeGroups.filter(({ phase }) => phase !== 'UpToDate');
  return (
    <>
      <IfShown part="rollouts" what="Rollouts are">
        {rollouts.length === 0 && moving.length === 0 && (
          <p class="empty">No rollout: no NodeRolloutPolicy has led nodes to another image yet.</p>
        )}
        {policies
          .filter(({ id, notes }) => notes.length > 0 || !rollouts.some(({ policy }) => policy === id))
          .map((row) => (
            <PolicyCard key={row.id} row={row} />
          ))}
        {rollouts.toSorted(underWayFirst).map((rollout) => (
          <RolloutCard key={rollout.id} rollout={rollout} nodes={nodes} />
        ))}
      </IfShown>
      <IfShown part="nodeGroups" what="NodeGroups are">
        {moving.map((row) => (
          <NodeGroupCard key={row.id} row={row} />
        ))}
      </IfShown>
      <IfShown part="notifications" what="Notifications are">
        {notifications.map((row) => (
          <NotificationsCard key={row.id} row={row} />
        ))}
      </IfShown>
    </>
  );
}

const underWayFirst = (a: RolloutRow, b: RolloutRow): number =>
  Number(a.endedAt !== undefined) - Number(b.endedAt !== undefined) ||
  byText(a.policy, b.policy) ||
  b.number - a.number;

type RolloutCardProps = { readonly rollout: RolloutRow; readonly nodes: readonly NodeRow[] };

function RolloutCard({ rollout, nodes }: RolloutCardProps) {
  const {
    id,
    policy,
    state,
    wave,
    cause,
    change,
    total,
    updated,
    failed,
    images,
    halted,
    waits,
    window,
    expectedEnd,
    nextChangeAt,
    endedAt,
    explain,
  } = rollout;
  const own = endedAt === undefined ? nodes.filter(({ governed }) => governed?.policy === policy) : [];
  return (
    <article class={halted === undefined ? 'card rollout' : 'card rollout bad'} aria-label={id}>
      <h2>
        <ExplainLink path={explain}>{id}</ExplainLink>
        {change === '' ? '' : `: ${change}`}{' '}
        <span class="tag">{wave === undefined ? state : `${state}, wave ${wave}`}</span>
        <span class="faint">
          {' '}
          {nameCause(cause)}, NodeRolloutPolicy {policy}
        </span>
      </h2>
      <ProgressBar total={total} updated={updated} failed={failed} words={countWords(rollout)} explain={explain} />
      {halted !== undefined && (
        <p class="warning">
          Halted: <SentenceText text={halted} />
        </p>
      )}
      {waits.map(({ message, since }) => (
        <p key={message} class="warning">
          Waits
          {since !== undefined && (
            <>
              {' '}
              for <AgeText since={since} />
            </>
          )}
          : <SentenceText text={message} />
        </p>
      ))}
      <NeededCommands rollout={rollout} />
      <ParkedNodes rollout={rollout} />
      {window !== undefined && (
        <p>
          Window: <SentenceText text={window.message} />
          {window.changesAt !== undefined && (
            <>
              {' '}
              until <TimeText at={window.changesAt} />
            </>
          )}
          {window.zones !== undefined && <span class="faint"> (written in {window.zones})</span>}
        </p>
      )}
      {(nextChangeAt ?? expectedEnd) !== undefined && (
        <p>
          {nextChangeAt !== undefined && (
            <>
              Next change <TimeText at={nextChangeAt} />
            </>
          )}
          {nextChangeAt !== undefined && expectedEnd !== undefined && ', '}
          {expectedEnd !== undefined && (
            <>
              expected end <TimeText at={expectedEnd} />
            </>
          )}
        </p>
      )}
      <WaveTimeline rollout={rollout} nodes={own} />
      <DataTable
        title={`Waves of ${id}`}
        columns={waveColumns}
        rows={rollout.waves.map((each) => ({ ...each, id: each.name }))}
        sortedBy=""
        empty="No wave yet."
      />
      <EvidencePlots rollout={rollout} />
      {images.length > 0 && (
        <section aria-label={`Images of ${id}`}>
          <h3>Images</h3>
          {images.map((each) => (
            <p key={each} class="code">
              {each}
            </p>
          ))}
        </section>
      )}
      <FailedNodes rollout={rollout} />
      <AskedChanges rollout={rollout} />
      <Commands rollout={rollout} />
    </article>
  );
}

type WaveTableRow = RolloutRow['waves'][number] & { readonly id: string };

const waveColumns: readonly DataColumn<WaveTableRow>[] = [
  { title: 'Wave', value: ({ name }) => name },
  { title: 'Seats', value: ({ seats }) => seats, isNumber: true },
  { title: 'Taken', value: ({ taken }) => taken, isNumber: true },
  { title: 'Healthy', value: ({ healthy }) => healthy, isNumber: true },
  { title: 'Failed', value: ({ failed }) => failed, isNumber: true },
  {
    title: 'Begins',
    value: ({ startedAt, earliestStart }) => startedAt ?? earliestStart,
    draw: ({ startedAt, earliestStart }) => <TimeText at={startedAt ?? earliestStart} />,
  },
  {
    title: 'Soaked until',
    value: ({ soakedUntil, earliestEnd, endedAt }) => endedAt ?? soakedUntil ?? earliestEnd,
    draw: ({ soakedUntil, earliestEnd, endedAt }) => <TimeText at={endedAt ?? soakedUntil ?? earliestEnd} />,
  },
  {
    title: 'Outcome',
    value: ({ outcome, startedAt, needsApproval }) =>
      outcome ??
      (startedAt === undefined ? (needsApproval === true ? 'to come, needs approval' : 'to come') : 'under way'),
  },
];

function FailedNodes({ rollout: { id, failures } }: { readonly rollout: RolloutRow }) {
  if (failures.length === 0) return null;
  return (
    <section aria-label={`Failures of ${id}`}>
      <h3>Nodes that failed</h3>
      <ul>
        {failures.map(({ node, claim, at, evidence }) => (
          <li key={`${node ?? ''} ${at} ${evidence}`}>
            {node === undefined ? 'all new nodes' : <ExplainLink path={`node/${node}`}>{node}</ExplainLink>}
            {claim === undefined ? '' : ` (${claim})`}, <AgeText since={at} /> ago: {evidence}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Nodes that were let go and cannot be drained: they take pods again, and the rollout tries them later. */
function ParkedNodes({ rollout: { parked = [] } }: { readonly rollout: RolloutRow }) {
  if (parked.length === 0) return null;
  return (
    <div class="warning">
      <p>
        {parked.length === 1
          ? '1 node is parked, and tried later:'
          : `${parked.length} nodes are parked, and tried later:`}
      </p>
      <ul>
        {parked.map(({ node, claim, since, message }) => (
          <li key={node}>
            <ExplainLink path={`node/${node}`}>{node}</ExplainLink>
            {claim === undefined ? '' : ` (${claim})`}, for <AgeText since={since} />: {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

type RequestRow = RolloutRow['requests'][number] & { readonly id: string };

const requestColumns: readonly DataColumn<RequestRow>[] = [
  { title: 'When', value: ({ at }) => at, draw: ({ at }) => <TimeText at={at} /> },
  { title: 'Who', value: ({ by }) => by },
  { title: 'Asked for', value: ({ request }) => spellWords(request) },
  { title: 'Value', value: ({ value }) => value },
  { title: 'Answer', value: ({ answer }) => answer, isProse: true },
];

/** What people have asked of the rollout: who halted it, and who let it go on. */
const AskedChanges = ({ rollout: { id, requests } }: { readonly rollout: RolloutRow }) =>
  requests.length === 0 ? null : (
    <DataTable
      title={`Requests about ${id}`}
      columns={requestColumns}
      rows={requests.map((each, index) => ({ ...each, id: `${each.at} ${index}` }))}
      sortedBy=""
      empty="No request is recorded."
    />
  );

/** The page changes nothing: a person gives these in a shell, with a reason. Without one of them it does not go on. */
const NeededCommands = ({ rollout: { id, commands } }: { readonly rollout: RolloutRow }) => (
  <CommandList name={`Commands that lead ${id} on`} commands={commands.filter(({ isNeeded }) => isNeeded === true)} />
);

function Commands({ rollout: { id, commands } }: { readonly rollout: RolloutRow }) {
  const others = commands.filter(({ isNeeded }) => isNeeded !== true);
  if (others.length === 0) return null;
  return (
    <section aria-label={`Commands for ${id}`}>
      <h3>What a person can do</h3>
      <CommandList name={`Further commands for ${id}`} commands={others} />
    </section>
  );
}

type CommandsProps = { readonly name: string; readonly commands: RolloutRow['commands'] };

const CommandList = ({ name, commands }: CommandsProps) =>
  commands.length === 0 ? null : (
    <ul class="commands" aria-label={name}>
      {commands.map(({ purpose, command }) => (
        <li key={command}>
          {purpose}: <code>{command}</code> <CopyButton text={() => command} label="Copy" name={`Copy ${command}`} />
        </li>
      ))}
    </ul>
  );

import {
  type Dashboard,
  type ImageRow,
  type NodeClassRow,
  type GroupProgressRow,
  spellWords,
} from '@nodewright/dashboard/rows';
import { DataTable, type DataColumn } from '../parts/data-table.tsx';
import { ExplainLink } from '../parts/explain-link.tsx';
import { countSecondsBetween } from '../parts/count-seconds.ts';
import { SentenceText } from '../parts/sentence-text.tsx';
import { AgeText, TimeText } from '../parts/time-text.tsx';

/** What each NodeClass launches and why nothing newer, and the images. */
export function ImagesView({ dashboard: { images, nodeClasses, nodeGroups } }: { readonly dashboard: Dashboard }) {
  return (
    <>
      <ul class="causes" aria-label="NodeClasses">
        {nodeClasses.map((row) => (
          <NodeClassCard key={row.id} row={row} />
        ))}
      </ul>
      <DataTable
        title="Images"
        columns={imageColumns}
        rows={images}
        sortedBy="Age"
        empty="No EC2NodeClass selects an image."
      />
      {nodeGroups.length > 0 && (
        <DataTable title="Node groups" columns={nodeGroupColumns} rows={nodeGroups} empty="No NodeGroup." />
      )}
    </>
  );
}

function NodeClassCard({ row }: { readonly row: NodeClassRow }) {
  const { id, terms, kubernetesVersion, answer, reasons, newer, isStuck, changesAt, change, explain } = row;
  return (
    <li class={isStuck ? 'card bad' : 'card'}>
      <h2>
        <ExplainLink path={explain}>{id}</ExplainLink>
        <span class="faint">
          {' '}
          {terms.join('; ')}, Kubernetes {kubernetesVersion}
        </span>
      </h2>
      <p>It {answer}.</p>
      {newer.length > 0 && (
        <>
          <p>Newer, and not launched:</p>
          <ul>
            {newer.map((each) => (
              <li key={each}>
                <SentenceText text={each} />
              </li>
            ))}
          </ul>
        </>
      )}
      {changesAt !== undefined && (
        <p>
          Changes by itself <TimeText at={changesAt} />
          {change === undefined ? '' : `: ${change}`}
        </p>
      )}
      <details>
        <summary>Why, in {reasons.length} lines</summary>
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>
              <SentenceText text={reason} />
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

const nodeGroupColumns: readonly DataColumn<GroupProgressRow>[] = [
  { title: 'NodeGroup', value: ({ id }) => id },
  { title: 'Release', value: ({ target }) => target },
  {
    title: 'State',
    value: ({ phase }) => spellWords(phase),
    draw: ({ phase }) => <span class="tag">{spellWords(phase)}</span>,
  },
  { title: 'Nodes', value: ({ total }) => total, isNumber: true },
  { title: 'Updated', value: ({ updated }) => updated, isNumber: true },
  { title: 'Why', value: ({ reason }) => reason, isProse: true },
];

const imageColumns: readonly DataColumn<ImageRow>[] = [
  {
    title: 'NodeClass',
    value: ({ nodeClass }) => nodeClass,
    draw: ({ nodeClass }) => <ExplainLink path={`nodeclass/${nodeClass}`}>{nodeClass}</ExplainLink>,
  },
  { title: 'Release', value: ({ release, name }) => release ?? name },
  { title: 'Variant', value: ({ variant }) => variant },
  { title: 'Arch', value: ({ arch }) => arch },
  { title: 'Image', value: ({ image }) => image },
  {
    title: 'Age',
    copiedTitle: 'Age in seconds',
    value: ({ publishedAt }, at) => (publishedAt === undefined ? undefined : countSecondsBetween(publishedAt, at)),
    draw: ({ publishedAt }) => <AgeText since={publishedAt} />,
    isNumber: true,
  },
  {
    title: 'State',
    value: ({ state }) => spellWords(state),
    draw: ({ state }) => <span class={`tag image-${state}`}>{spellWords(state)}</span>,
  },
  { title: 'Nodes', value: ({ nodes }) => nodes, isNumber: true },
  { title: 'Why', value: ({ because }) => because, isProse: true },
];

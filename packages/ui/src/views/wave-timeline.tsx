import { describeNodeStage, type NodeRow, type RolloutRow } from '@nodewright/dashboard/rows';
import { useContext } from 'preact/hooks';
import { createArrowSteps } from '../parts/arrow-keys.ts';
import { clockContext, useAddress } from '../parts/page-context.ts';
import { formatLocal } from '../parts/time-text.tsx';
import { layOutNodeBars, layOutWaves, type NodeBar, type WaveBand } from './wave-times.ts';

const bandHeight = 22;
/** So many bars have their names over them; more are drawn thin. */
const mostNamed = 12;
const mostBars = 40;
const namedBar = { height: 24, thickness: 7 };
const thinBar = { height: 8, thickness: 6 };

const percentText = (part: number): string => `${Math.round(part * 10_000) / 100}%`;

type TimelineProps = { readonly rollout: RolloutRow; readonly nodes: readonly NodeRow[] };

/** Waves as bands over time, and under them the nodes that run the new image, from their beginning. */
export function WaveTimeline({ rollout, nodes }: TimelineProps) {
  const at = useContext(clockContext);
  const timeline = layOutWaves(rollout, at);
  if (timeline === undefined || timeline.bands.length === 0) return null;
  const { begin, end, bands, now } = timeline;
  const bars = layOutNodeBars(rollout, nodes, timeline).slice(0, mostBars);
  const size = bars.length > mostNamed ? thinBar : namedBar;
  const top = bands.length * bandHeight;
  const height = top + bars.length * size.height + 4;
  return (
    <figure class="timeline">
      <svg height={height} role="group" aria-label={describeBands(bands)} onKeyDown={moveBetweenBars}>
        {bands.map((band, index) => (
          <WaveShape key={band.name} band={band} y={index * bandHeight} />
        ))}
        <line class="now" x1={percentText(now)} x2={percentText(now)} y1={0} y2={height} />
        {bars.map((bar, index) => (
          <NodeBarLink
            key={bar.node.id}
            bar={bar}
            to={now}
            y={top + index * size.height}
            size={size}
            isFirst={index === 0}
          />
        ))}
      </svg>
      <figcaption>
        <span>{formatLocal(begin)}</span>
        <span class="middle">{bars.length > 0 && describeBars(bars.length)}</span>
        <span>{formatLocal(end)}</span>
      </figcaption>
    </figure>
  );
}

const moveBetweenBars = createArrowSteps('a');

type BarProps = {
  readonly bar: NodeBar;
  /** The present. */
  readonly to: number;
  readonly y: number;
  readonly size: typeof namedBar;
  readonly isFirst: boolean;
};

/** A node since its beginning, as a link to its explanation: its name stands over it where there is room. */
function NodeBarLink({ bar: { node, from, hasFailed }, to, y, size, isFirst }: BarProps) {
  const address = useAddress();
  const state = hasFailed ? 'failed' : describeNodeStage(node.stage);
  const words = `${node.id}: ${state}`;
  const isNamed = size === namedBar;
  const className = hasFailed ? 'node-bar bad' : node.stage === 'ready' ? 'node-bar' : 'node-bar late';
  return (
    <a href={address({ explain: node.explain })} aria-label={words} tabIndex={isFirst ? 0 : -1}>
      <title>{words}</title>
      {/* All of the row is the link. */}
      <rect class="node-row" x={0} y={y} width="100%" height={size.height} />
      {isNamed && (
        <text {...placeName(from, to)} y={y + 13}>
          {node.stage === 'ready' && !hasFailed ? node.id : words}
        </text>
      )}
      <rect
        class={className}
        x={percentText(from)}
        y={y + size.height - size.thickness}
        width={percentText(Math.max(0.003, to - from))}
        height={size.thickness - 1}
      />
    </a>
  );
}

/** The name stands behind the present, or over the bar where there is no room for it. */
function placeName(from: number, to: number) {
  if (to <= 0.6) return { x: percentText(to), dx: 6, 'text-anchor': 'start' } as const;
  if (from <= 0.6) return { x: percentText(from), dx: 6, 'text-anchor': 'start' } as const;
  return { x: percentText(1), dx: -6, 'text-anchor': 'end' } as const;
}

/** The name stands where there is room: behind the beginning of a band, or before one that begins late. */
function WaveShape({ band: { name, from, to, state }, y }: { readonly band: WaveBand; readonly y: number }) {
  const isLate = from > 0.75;
  return (
    <>
      <rect
        class={`wave ${state}`}
        x={percentText(from)}
        y={y + 1}
        width={percentText(Math.max(0.004, to - from))}
        height={bandHeight - 4}
        rx={3}
      />
      <text x={percentText(from)} dx={isLate ? -6 : 6} y={y + 15} text-anchor={isLate ? 'end' : 'start'}>
        {name}
      </text>
    </>
  );
}

const describeBars = (count: number): string =>
  count === mostBars
    ? `bars: the first ${count} nodes on the new image, since they began`
    : `bars: ${count === 1 ? 'the node' : `the ${count} nodes`} on the new image, since ${count === 1 ? 'it' : 'they'} began`;

const describeBands = (bands: readonly WaveBand[]): string =>
  `Waves over time: ${bands.map(({ name, state }) => `${name} ${stateOfBand[state]}`).join(', ')}`;

const stateOfBand = { ended: 'has ended', underWay: 'is under way', toCome: 'is to come' } as const;

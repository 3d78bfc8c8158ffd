import { describeNodeStage, type NodeRow, type RolloutRow } from '@nodewright/dashboard/rows';
import type { ComponentChildren } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';
import { createArrowSteps } from '../parts/arrow-keys.ts';
import { clockContext, useAddress } from '../parts/page-context.ts';
import { formatLocal } from '../parts/time-text.tsx';
import { useMeasurement } from '../parts/use-measurement.ts';
import { printPercent } from '../plots/print-percent.ts';
import { TimeAxis, TimeGrid, useTimeMarks } from '../plots/time-axis.tsx';
import {
  layOutNodeBars,
  layOutWaves,
  type NodeBar,
  type RolloutTimeline,
  type WaveBand,
  type WindowBand,
} from './wave-times.ts';

const bandHeight = 22;
const axisHeight = 18;
/** So many bars have their names over them; more are drawn thin. */
const mostNamed = 12;
const mostBars = 40;
const namedBar = { height: 24, thickness: 7 };
const thinBar = { height: 8, thickness: 6 };

type TimelineProps = { readonly rollout: RolloutRow; readonly nodes: readonly NodeRow[] };

/** Waves as bands over time, and under them the nodes that run the new image, from their beginning. */
export function WaveTimeline({ rollout, nodes }: TimelineProps) {
  const at = useContext(clockContext);
  const timeline = layOutWaves(rollout, at);
  if (timeline === undefined || timeline.bands.length === 0) return null;
  const bars = layOutNodeBars(rollout, nodes, timeline.span);
  return <TimelinePlot timeline={timeline} bars={bars.slice(0, mostBars)} />;
}

type PlotProps = { readonly timeline: RolloutTimeline; readonly bars: readonly NodeBar[] };

function TimelinePlot({ timeline: { span, bands, window, now }, bars }: PlotProps) {
  const plot = useRef<SVGSVGElement>(null);
  const marks = useTimeMarks(span, useMeasurement(plot, measureWidth));
  const [reading, setReading] = useState('');
  const size = bars.length > mostNamed ? thinBar : namedBar;
  const rows = window === undefined ? bands.length : bands.length + 1;
  const top = rows * bandHeight;
  const height = top + bars.length * size.height + 4;
  const readPointer = (event: PointerEvent): void => {
    const { left, width } =
      event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : noPlace;
    const time = span.begin + ((event.clientX - left) / Math.max(1, width)) * (span.end - span.begin);
    const words = readWords(event.target);
    setReading(`${formatLocal(new Date(time).toISOString())}${words === '' ? '' : ` · ${words}`}`);
  };
  return (
    <figure class="timeline">
      <svg
        ref={plot}
        height={height + axisHeight}
        role="group"
        aria-label={describeBands(bands)}
        onKeyDown={moveBetweenRows}
        onPointerMove={readPointer}
        onPointerLeave={() => setReading('')}
        onFocusIn={({ target }) => setReading(readWords(target))}
        onFocusOut={() => setReading('')}
      >
        <TimeGrid marks={marks} height={height} />
        {bands.map((band, index) => (
          <WaveShape key={band.name} band={band} y={index * bandHeight} isFirst={index === 0} />
        ))}
        {window !== undefined && <WindowShape band={window} y={bands.length * bandHeight} />}
        <line class="now" x1={printPercent(now)} x2={printPercent(now)} y1={0} y2={height} />
        {bars.map((bar, index) => (
          <NodeBarLink key={bar.node.id} bar={bar} to={now} y={top + index * size.height} size={size} />
        ))}
        <TimeAxis marks={marks} y={height + 13} />
      </svg>
      <figcaption>
        <span aria-hidden={reading !== ''}>{reading === '' ? describeTimeline(span, bars.length) : reading}</span>
      </figcaption>
    </figure>
  );
}

const noPlace = { left: 0, width: 0 };

const measureWidth = (plot: Element): number => plot.getBoundingClientRect().width;

/** What the row under the pointer, or the one that has the focus, says. */
const readWords = (target: EventTarget | null): string =>
  (target instanceof Element ? target.closest('svg .row')?.getAttribute('aria-label') : undefined) ?? '';

const moveBetweenRows = createArrowSteps('.row');

const formatTimes = (begin: string, end: string): string => `${formatLocal(begin)} – ${formatLocal(end)}`;

type RowProps = { readonly words: string; readonly isFirst?: boolean; readonly children: ComponentChildren };

/** A row that says something, and is no link. All rows of a timeline are one stop of the Tab key. */
const ReadRow = ({ words, isFirst = false, children }: RowProps) => (
  <g class="row" role="img" aria-label={words} tabindex={isFirst ? 0 : -1}>
    {children}
  </g>
);

type BarProps = {
  readonly bar: NodeBar;
  /** The present. */
  readonly to: number;
  readonly y: number;
  readonly size: typeof namedBar;
};

/** A node since its beginning, as a link to its explanation: its name stands over it where there is room. */
function NodeBarLink({ bar: { node, from, begins, hasFailed }, to, y, size }: BarProps) {
  const address = useAddress();
  const words = `${node.id}: ${hasFailed ? 'failed' : describeNodeStage(node.stage)}`;
  const isNamed = size === namedBar;
  const className = hasFailed ? 'node-bar bad' : node.stage === 'ready' ? 'node-bar' : 'node-bar late';
  return (
    <a
      class="row"
      href={address({ explain: node.explain })}
      aria-label={`${words}, since ${formatLocal(begins)}`}
      tabindex={-1}
    >
      {/* All of the row is the link. */}
      <rect class="node-row" x={0} y={y} width="100%" height={size.height} />
      {isNamed && (
        <text {...placeName(from, to)} y={y + 13}>
          {node.stage === 'ready' && !hasFailed ? node.id : words}
        </text>
      )}
      <rect
        class={className}
        x={printPercent(from)}
        y={y + size.height - size.thickness}
        width={printPercent(Math.max(0.003, to - from))}
        height={size.thickness - 1}
      />
    </a>
  );
}

/** The name stands behind the present, or over the bar where there is no room for it. */
function placeName(from: number, to: number) {
  if (to <= 0.6) return { x: printPercent(to), dx: 6, 'text-anchor': 'start' } as const;
  if (from <= 0.6) return { x: printPercent(from), dx: 6, 'text-anchor': 'start' } as const;
  return { x: printPercent(1), dx: -6, 'text-anchor': 'end' } as const;
}

type WaveProps = { readonly band: WaveBand; readonly y: number; readonly isFirst: boolean };

/** The name stands where there is room: behind the beginning of a band, or before one that begins late. */
function WaveShape({ band: { name, from, to, begins, ends, state }, y, isFirst }: WaveProps) {
  const isLate = from > 0.75;
  return (
    <ReadRow words={`wave ${name} ${stateOfBand[state]}, ${formatTimes(begins, ends)}`} isFirst={isFirst}>
      <BandShape className={`wave ${state}`} from={from} to={to} y={y} />
      <text x={printPercent(from)} dx={isLate ? -6 : 6} y={y + 15} text-anchor={isLate ? 'end' : 'start'}>
        {name}
      </text>
    </ReadRow>
  );
}

/** When replacements may begin, or may not. */
function WindowShape({ band: { from, to, isOpen, ends }, y }: { readonly band: WindowBand; readonly y: number }) {
  const isLate = from > 0.75;
  const words = isOpen ? 'window open' : 'no window';
  return (
    <ReadRow words={`${words} until ${formatLocal(ends)}`}>
      <BandShape className={isOpen ? 'window open' : 'window'} from={from} to={to} y={y} />
      <text x={printPercent(from)} dx={isLate ? -6 : 6} y={y + 15} text-anchor={isLate ? 'end' : 'start'}>
        {words}
      </text>
    </ReadRow>
  );
}

type BandProps = { readonly className: string; readonly from: number; readonly to: number; readonly y: number };

const BandShape = ({ className, from, to, y }: BandProps) => (
  <rect
    class={className}
    x={printPercent(from)}
    y={y + 1}
    width={printPercent(Math.max(0.004, to - from))}
    height={bandHeight - 4}
    rx={3}
  />
);

const describeTimeline = ({ begin, end }: RolloutTimeline['span'], bars: number): string =>
  `${formatTimes(new Date(begin).toISOString(), new Date(end).toISOString())}${bars === 0 ? '' : `; ${describeBars(bars)}`}`;

const describeBars = (count: number): string =>
  count === mostBars
    ? `bars: the first ${count} nodes on the new image, since they began`
    : `bars: ${count === 1 ? 'the node' : `the ${count} nodes`} on the new image, since ${count === 1 ? 'it' : 'they'} began`;

const describeBands = (bands: readonly WaveBand[]): string =>
  `Waves over time: ${bands.map(({ name, state }) => `${name} ${stateOfBand[state]}`).join(', ')}`;

const stateOfBand = { ended: 'has ended', underWay: 'is under way', toCome: 'is to come' } as const;

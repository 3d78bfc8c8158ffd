import type { RolloutRow } from '@nodewright/dashboard/rows';
import { BarPlot } from '../plots/bar-plot.tsx';
import { createValueAxis } from '../plots/value-marks.ts';

/** Shares of pods on new nodes beside those on nodes with the old image. */
export function EvidencePlots({ rollout: { id, evidence } }: { readonly rollout: RolloutRow }) {
  if (evidence.length === 0) return null;
  return (
    <section aria-label={`Evidence of ${id}`}>
      <h3>New image against old</h3>
      {evidence.map(({ variant, summary, signals }) => (
        <div key={variant}>
          <h4>{variant.replace(/\/none$/, '')}</h4>
          <dl class="evidence">
            {signals.map((signal) => (
              <div key={signal.name}>
                <dt>{signal.name}</dt>
                <dd>
                  <SignalPlot signal={signal} />
                </dd>
              </div>
            ))}
          </dl>
          <p class="faint">{summary}</p>
        </div>
      ))}
    </section>
  );
}

type Signal = RolloutRow['evidence'][number]['signals'][number];

/** Shares are drawn of a hundred per cent, rates of the higher one. */
function SignalPlot({ signal: { name, unit, members, peers } }: { readonly signal: Signal }) {
  const axis = createValueAxis({ most: Math.max(members, peers), least: unit === '%' ? 100 : 1, count: 2 });
  const aBar = (label: 'new' | 'old', value: number) => ({
    id: label,
    label,
    parts: [{ value, className: label === 'new' ? 'members' : 'peers' }],
    value: `${value}${unit}`,
    words: `${name}: ${value}${unit} on ${label} nodes`,
  });
  return (
    <BarPlot
      className="compared"
      bars={[aBar('new', members), aBar('old', peers)]}
      axis={axis}
      printMark={(value) => `${value}${unit}`}
    />
  );
}

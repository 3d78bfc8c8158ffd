export type SampleLabels = Readonly<Record<string, string>>;
export type Sample = { readonly labels: SampleLabels; readonly value: number };
type Metric = { readonly name: string; readonly type: 'counter' | 'gauge'; readonly help: string };

/** A metric in the text format of Prometheus. */
export const writeMetric = ({ name, type, help }: Metric, samples: readonly Sample[]): string =>
  [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((sample) => writeSample(name, sample)), ''].join(
    '\n',
  );

function writeSample(name: string, { labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
}

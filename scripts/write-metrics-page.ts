/** Writes `docs/metrics.md` from the metrics that the code defines. A test holds it equal. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listOperatorMetrics, printMetricsPage } from '@nodewright/testkit/worlds';

writeFileSync(join(import.meta.dirname, '../docs/metrics.md'), printMetricsPage(await listOperatorMetrics()));

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { listTaskTimes, traceCategories, type TraceEvent } from './page-trace.ts';

/** The first Chromium on the PATH; `undefined` where there is none. */
export function findChromium(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  return names
    .flatMap((name) => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)))
    .find((file) => existsSync(file));
}

/** A test ends by what happens: this only keeps one that waits in vain from waiting for ever. */
const safetyNetMs = 120_000;

type Answer = { readonly id?: number; readonly result?: object; readonly error?: { readonly message: string } };

/** Processor time of the thread that runs the page, and what the page holds now. */
export type PageCost = {
  readonly taskMs: number;
  readonly scriptMs: number;
  readonly styleMs: number;
  readonly layoutMs: number;
  readonly heapBytes: number;
  /** Nodes of all documents, those included that nothing shows any more. */
  readonly domNodes: number;
};

type PageLook = {
  readonly width: number;
  readonly height: number;
  readonly isDark: boolean;
  /** As it is printed [as on a screen]. */
  readonly isPaper?: boolean;
  /** The zone of the reader, such as `Asia/Kolkata`; a page that is open keeps its own [that of the machine]. */
  readonly zone?: string;
  /** As such a reader sees colours [as most do]. */
  readonly vision?: 'deuteranopia' | 'protanopia' | 'tritanopia' | 'achromatopsia';
};

export type BrowserPage = {
  /** Opens an address, and resolves when its view has been drawn. */
  open(address: string): Promise<void>;
  /** Opens a page of another kind, which says nothing of when its view is drawn. */
  visit(address: string): Promise<void>;
  /** Lets go of the server, which may end then. */
  leave(): Promise<void>;
  /** Resolves when the expression is true; the browser looks again with every frame. */
  until(expression: string): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  /** Clicks the first link or button that shows these words, as a pointer does. */
  click(words: string): Promise<void>;
  /** Moves the pointer over the first such element: `across` from 0, its left edge, to 1. */
  point(selector: string, across: number): Promise<void>;
  /** Presses keys one after the other, such as `Tab` and `Enter`. */
  press(...keys: readonly string[]): Promise<void>;
  /** Types a text where the cursor is. */
  write(text: string): Promise<void>;
  look(options: PageLook): Promise<void>;
  screenshot(): Promise<Buffer>;
  /** What the page has cost since it was opened. Memory is counted after the garbage of the page is collected. */
  measure(): Promise<PageCost>;
  /** Records what the page works on. @returns what ends that, and gives the processor time of each task in milliseconds */
  recordTasks(): Promise<() => Promise<readonly number[]>>;
  /** Messages of the console and of the browser about the page, errors alone. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
};

/** A promise of the page that resolves when the expression is true there. */
const lookUntil = (expression: string): string =>
  `new Promise((resolve, reject) => {
    const end = performance.now() + ${safetyNetMs};
    const look = () => {
      if (${expression}) resolve(true);
      else if (performance.now() > end) reject(new Error(${JSON.stringify(`it never came true: ${expression}`)}));
      else requestAnimationFrame(look);
    };
    look();
  })`;

/** Starts a headless Chromium with one page, and speaks its DevTools protocol over a pipe. */
export async function startBrowser(chromium: string): Promise<BrowserPage> {
  const profile = mkdtempSync(join(tmpdir(), 'nodewright-chromium-'));
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--remote-debugging-pipe'];
  const child = spawn(chromium, [...flags, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const waiting = new Map<number, (answer: Answer) => void>();
  const complaints: string[] = [];
  const trace = createTrace();
  let last = 0;
  readMessages(output, (message) => {
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else complaints.push(...listComplaints(message));
    trace.receive(message);
  });
  let sessionId: string | undefined;
  const send = (method: string, params: object = {}): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, ({ result, error }) =>
        error === undefined ? resolve({ ...result }) : reject(new Error(`${method}: ${error.message}`)),
      );
      input.write(`${JSON.stringify({ id: last, method, params, ...(sessionId && { sessionId }) })}\0`);
    });
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  sessionId = String((await send('Target.attachToTarget', { targetId, flatten: true }))['sessionId']);
  for (const domain of ['Page', 'Runtime', 'Log']) await send(`${domain}.enable`);
  await send('Performance.enable', { timeDomain: 'threadTicks' });
  const evaluate = async (expression: string): Promise<unknown> => {
    const answer = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (answer['exceptionDetails'] !== undefined) throw new Error(JSON.stringify(answer['exceptionDetails']));
    return (answer['result'] as { readonly value?: unknown }).value;
  };
  const until = async (expression: string): Promise<void> => {
    const look = lookUntil(expression);
    // A page that leads to another one takes what waits on it along.
    for (let pages = 1; ; pages += 1) {
      try {
        await evaluate(look);
        return;
      } catch (error) {
        if (pages > 5 || !/navigated or closed|context was destroyed/.test(String(error))) throw error;
      }
    }
  };
  return {
    complaints,
    evaluate,
    until,
    async open(address) {
      await send('Page.navigate', { url: address });
      await until(`document.querySelector('main[aria-busy="false"]') && !document.querySelector('[aria-busy="true"]')`);
    },
    async visit(address) {
      await send('Page.navigate', { url: address });
      await until(`location.href !== 'about:blank' && document.readyState === 'complete'`);
    },
    async leave() {
      await send('Page.navigate', { url: 'about:blank' });
    },
    async click(words) {
      const [x, y] = (await evaluate(findClickable(words))) as readonly [number, number];
      const at = { x, y, button: 'left', clickCount: 1 };
      for (const type of ['mousePressed', 'mouseReleased']) await send('Input.dispatchMouseEvent', { type, ...at });
    },
    async point(selector, across) {
      const [x, y] = (await evaluate(findPointOf(selector, across))) as readonly [number, number];
      await send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
    },
    async press(...keys) {
      for (const key of keys) {
        const text = key === 'Enter' ? { text: '\r' } : key.length === 1 ? { text: key } : {};
        const codes = { Tab: 9, Enter: 13, Escape: 27, ArrowLeft: 37, ArrowRight: 39 } as const;
        const windowsVirtualKeyCode = Object.entries(codes).find(([name]) => name === key)?.[1] ?? 0;
        await send('Input.dispatchKeyEvent', { type: 'keyDown', key, code: key, windowsVirtualKeyCode, ...text });
        await send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key, windowsVirtualKeyCode });
      }
    },
    async write(text) {
      await send('Input.insertText', { text });
    },
    async look({ width, height, isDark, isPaper = false, zone = '', vision = 'none' }) {
      const mobile = width < 600;
      await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile });
      const features = [{ name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' }];
      await send('Emulation.setEmulatedMedia', { media: isPaper ? 'print' : '', features });
      await send('Emulation.setTimezoneOverride', { timezoneId: zone });
      await send('Emulation.setEmulatedVisionDeficiency', { type: vision });
    },
    async screenshot() {
      const { data } = await send('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(String(data), 'base64');
    },
    async measure() {
      const before = readPageCost(await send('Performance.getMetrics'));
      await send('HeapProfiler.collectGarbage');
      const { heapBytes, domNodes } = readPageCost(await send('Performance.getMetrics'));
      return { ...before, heapBytes, domNodes };
    },
    async recordTasks() {
      await send('Tracing.start', { traceConfig: { includedCategories: traceCategories, excludedCategories: ['*'] } });
      return async () => {
        const events = trace.read();
        await send('Tracing.end');
        return listTaskTimes(await events);
      };
    },
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      // Told to close it ends its own processes, too: killed ones would go on writing into the profile for a while.
      void send('Browser.close').catch(() => undefined);
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** Scrolls to what shows the words, and gives its middle. A count beside the words does not matter. */
const findClickable = (words: string): string => `(() => {
  const wordsOf = (element) => {
    const count = element.querySelector('.count')?.innerText ?? '';
    return (element.innerText ?? element.textContent).trim().slice(0, count === '' ? undefined : -count.length).trim();
  };
  const found = [...document.querySelectorAll('a, button, summary')].find((each) => wordsOf(each) === ${JSON.stringify(words)});
  if (found === undefined) throw new Error(${JSON.stringify(`nothing to click shows "${words}"`)});
  found.scrollIntoView({ block: 'center', inline: 'center' });
  const { left, top, width, height } = found.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
})()`;

const findPointOf = (selector: string, across: number): string => `(() => {
  const element = document.querySelector(${JSON.stringify(selector)});
  element.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width * ${across}, top + height / 2];
})()`;

/** Collects the events of a trace, which come in parts. */
function createTrace() {
  let events: TraceEvent[] = [];
  let complete = (): void => undefined;
  return {
    receive(message: object): void {
      const { method, params } = message as {
        readonly method?: string;
        readonly params?: { readonly value?: TraceEvent[] };
      };
      if (method === 'Tracing.dataCollected') events = [...events, ...(params?.value ?? [])];
      if (method === 'Tracing.tracingComplete') complete();
    },
    /** All events, once the trace that is about to end has been given. */
    async read(): Promise<readonly TraceEvent[]> {
      events = [];
      await new Promise<void>((resolve) => {
        complete = resolve;
      });
      return events;
    },
  };
}

type PageMetric = { readonly name: string; readonly value: number };

function readPageCost(answer: object): PageCost {
  const { metrics } = answer as { readonly metrics: readonly PageMetric[] };
  const read = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return {
    taskMs: read('TaskDuration') * 1000,
    scriptMs: read('ScriptDuration') * 1000,
    styleMs: read('RecalcStyleDuration') * 1000,
    layoutMs: read('LayoutDuration') * 1000,
    heapBytes: read('JSHeapUsedSize'),
    domNodes: read('Nodes'),
  };
}

/** Messages end with a zero byte. */
function readMessages(output: Readable, receive: (message: Answer) => void): void {
  let rest = Buffer.alloc(0);
  output.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      receive(JSON.parse(rest.subarray(0, end).toString('utf8')) as Answer);
      rest = rest.subarray(end + 1);
    }
  });
}

function listComplaints(message: object): readonly string[] {
  const { method, params } = message as { readonly method?: string; readonly params?: Record<string, unknown> };
  if (method === 'Runtime.exceptionThrown') return [JSON.stringify(params)];
  const { level, text } = (params?.['entry'] ?? {}) as { readonly level?: string; readonly text?: string };
  return method === 'Log.entryAdded' && level === 'error' ? [text ?? 'error'] : [];
}

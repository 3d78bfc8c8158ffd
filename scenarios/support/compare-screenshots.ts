import type { BrowserPage } from './browser.ts';

/** So much may a channel of a pixel differ: antialiasing of text differs a little from run to run. */
const tolerance = 24;

/** The share of pixels that differ between two PNG files; 1 where their sizes differ. The browser decodes them. */
export async function compareScreenshots(page: BrowserPage, a: Buffer, b: Buffer): Promise<number> {
  const [first, second] = [a, b].map((file) => JSON.stringify(`data:image/png;base64,${file.toString('base64')}`));
  return Number(
    await page.evaluate(`(async () => {
      const read = (source) => new Promise((resolve, reject) => {
        const image = new Image();
        image.onerror = reject;
        image.onload = () => {
          const canvas = new OffscreenCanvas(image.width, image.height);
          const context = canvas.getContext('2d');
          context.drawImage(image, 0, 0);
          resolve(context.getImageData(0, 0, image.width, image.height));
        };
        image.src = source;
      });
      const [a, b] = await Promise.all([read(${first}), read(${second})]);
      if (a.width !== b.width || a.height !== b.height) return 1;
      let differing = 0;
      for (let at = 0; at < a.data.length; at += 4)
        if ([0, 1, 2].some((channel) => Math.abs(a.data[at + channel] - b.data[at + channel]) > ${tolerance})) differing += 1;
      return differing / (a.data.length / 4);
    })()`),
  );
}

/** What a screenshot depends on beside the page: the major version of the browser, and how wide its fonts draw a text. */
export async function describeDrawing(page: BrowserPage): Promise<string> {
  const version = String(await page.evaluate(`/Chrome\\/(\\d+)/.exec(navigator.userAgent)?.[1] ?? 'unknown'`));
  const widths = await page.evaluate(`(() => {
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    return ['15px system-ui', '600 15px system-ui', '13px ui-monospace, monospace'].map((font) => {
      context.font = font;
      return Math.round(context.measureText('Nodes 0123456789 wave: AMI').width * 10) / 10;
    }).join(' ');
  })()`);
  return `Chromium ${version}, texts ${String(widths)} wide`;
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserPage } from './browser.ts';
import { compareScreenshots, describeDrawing } from './compare-screenshots.ts';

/** Kept screenshots; NODEWRIGHT_UPDATE_SCREENS draws them anew. They have to be looked at before they are committed. */
const keptScreens = join(import.meta.dirname, '../screens');

/** Where screenshots are kept to be looked at. */
export const screenAlbum = process.env['NODEWRIGHT_SCREENSHOTS'];

/** The screens that are compared with kept ones. */
export const keptLooks = [
  { screen: 'desk-light', width: 1280, height: 680, isDark: false },
  { screen: 'phone-dark', width: 390, height: 680, isDark: true },
] as const;

const mostDifferent = 0.005;

/** `history?at=2024` has the file `history-at-2024`. */
export const nameView = (view: string): string => view.replaceAll(/[^a-z0-9]+/gi, '-');

/** Screenshots of a page, which are compared with the kept ones of the same names. */
export function createScreenshots(readPage: () => BrowserPage) {
  const taken = new Map<string, Buffer>();
  return {
    keep: async (name: string): Promise<void> => {
      const screenshot = await readPage().screenshot();
      taken.set(name, screenshot);
      if (screenAlbum === undefined) return;
      mkdirSync(screenAlbum, { recursive: true });
      writeFileSync(join(screenAlbum, `${name}.png`), screenshot);
    },
    /** @returns why they cannot be compared; `undefined` where both look alike @throws Error where they do not */
    compare: async (name: string): Promise<string | undefined> => {
      const page = readPage();
      const now = taken.get(name);
      if (now === undefined) return 'its view was not shown';
      const file = join(keptScreens, `${name}.png`);
      const drawing = await describeDrawing(page);
      if (process.env['NODEWRIGHT_UPDATE_SCREENS'] !== undefined) {
        writeFileSync(file, now);
        writeFileSync(join(keptScreens, 'drawn-by.txt'), `${drawing}\n`);
        return undefined;
      }
      const before = readFileSync(join(keptScreens, 'drawn-by.txt'), 'utf8').trim();
      if (drawing !== before) return `the screens were drawn by ${before}, here draws ${drawing}`;
      const share = await compareScreenshots(page, readFileSync(file), now);
      if (share < mostDifferent) return undefined;
      throw new Error(`${share} of the pixels of ${name} differ from those kept; ${mostDifferent} may`);
    },
  };
}

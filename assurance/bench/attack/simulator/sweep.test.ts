import { expect, test } from 'vitest'
import { CROWDS, sweep } from './sweep.ts'

/** The goals of the sweep, for a short time at some of its rates. Virtual time, so deterministic. */

const CALM_P95 = { adaptive: 2.9, fixed: 2.9, attack: 17.7 }

test.for(Object.keys(CROWDS))(
  'no visitor of %s is refused, at any rate, in any mode, and no rate makes the wait jump',
  async (crowd) => {
    const rows = await sweep({
      rates: [30, 60, 120, 200, 300],
      crowds: [crowd],
      known: [false],
      minutes: { warmUp: 8, measured: 6 },
    })
    expect(rows).toHaveLength(15)
    for (const { mode, known, perMinute, refusedShare, slowPhoneP95 } of rows) {
      const row = { mode, known, perMinute, slowPhoneP95 }
      expect({ ...row, refused: refusedShare > 0.001 }).toEqual({ ...row, refused: false })
      const most = perMinute <= 60 ? 2 * CALM_P95[mode] : 60
      expect({ ...row, most, isIn: slowPhoneP95 <= most }).toEqual({ ...row, most, isIn: true })
    }
    for (const [i, row] of rows.entries()) {
      const before = rows[i - 1]
      if (!before || before.perMinute > row.perMinute) continue
      expect({
        ...row,
        before: before.slowPhoneP95,
        cliff: row.slowPhoneP95 > 2.6 * before.slowPhoneP95,
      }).toMatchObject({ cliff: false })
    }
  },
)

import { testBrowser } from './cases.ts'
import { missingForWebkit, openWebkit } from './webkit.ts'

testBrowser('WebKitGTK', missingForWebkit(), openWebkit)

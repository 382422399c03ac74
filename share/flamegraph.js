// SPDX-License-Identifier: GPL-2.0-or-later
// The script in kcost's flame graphs. Each frame is a <g> with a <rect> and a <text>; data-x and data-w
// say where it is in the whole, from 0 to 1. A click shows a frame over the full width, a second click
// on the lowest frame all of it again; the search box marks frames and sums them.
"use strict";
(function () {
	const svg = document.documentElement;
	const frames = Array.from(svg.querySelectorAll("g.frame"));
	const note = svg.getElementById("note");
	const found = svg.getElementById("found");
	const width = Number(svg.dataset.width);
	const margin = Number(svg.dataset.margin);

	function fit(frame, w) {
		const text = frame.querySelector("text");
		const room = Math.floor((w - 4) / 6.6);
		const name = frame.dataset.name;
		text.textContent = room < 3 ? "" : name.length <= room ? name : name.slice(0, room - 2) + "..";
	}

	function show(target) {
		const x0 = Number(target.dataset.x), w0 = Number(target.dataset.w);
		for (const frame of frames) {
			const x = (Number(frame.dataset.x) - x0) / w0, w = Number(frame.dataset.w) / w0;
			const from = Math.max(x, 0), to = Math.min(x + w, 1);
			const visible = to - from > 0.2 / width;
			frame.style.display = visible ? "" : "none";
			if (!visible)
				continue;
			const rect = frame.querySelector("rect");
			rect.setAttribute("x", margin + from * width);
			rect.setAttribute("width", Math.max((to - from) * width - 0.5, 0.2));
			frame.querySelector("text").setAttribute("x", margin + from * width + 3);
			fit(frame, (to - from) * width);
		}
	}

	function search() {
		const word = window.prompt("Functions with this in their name:", "");
		let sum = 0, end = -1;
		for (const frame of frames) {
			const hit = word && frame.dataset.name.includes(word);
			frame.querySelector("rect").classList.toggle("hit", Boolean(hit));
		}
		// Frames within a frame that fits are not counted again.
		const hits = frames.filter((f) => word && f.dataset.name.includes(word));
		hits.sort((a, b) => a.dataset.x - b.dataset.x || b.dataset.w - a.dataset.w);
		for (const frame of hits) {
			const x = Number(frame.dataset.x), w = Number(frame.dataset.w);
			if (x + 1e-12 < end)
				continue;
			sum += w;
			end = x + w;
		}
		found.textContent = word ? word + ": " + (100 * sum).toFixed(2) + " %" : "search";
	}

	for (const frame of frames) {
		frame.addEventListener("mouseover", () => {
			note.textContent = frame.querySelector("title").textContent;
		});
		frame.addEventListener("click", () => show(frame));
		fit(frame, Number(frame.dataset.w) * width);
	}
	found.addEventListener("click", search);
})();
